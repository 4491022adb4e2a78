// Congestion control: how many transactions of a submitter may be pending in pools at once. Like TCP, the window grows
// while everything sent is seen in a pool or a block, and shrinks when something is refused or proven absent. Pure:
// takes instants, returns a number.
#pragma once

#include <cstdint>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost {

/// `nonce.window`: "auto", or a fixed number, which then is both start and ceiling.
struct WindowRules {
    std::uint32_t start = 16;
    std::uint32_t ceiling = 4'096;

    constexpr WindowRules() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a number is a rule.
    constexpr WindowRules(std::uint32_t fixed) : start(fixed), ceiling(fixed) {}

    [[nodiscard]] constexpr bool is_fixed() const { return start == ceiling; }
    friend bool operator==(const WindowRules&, const WindowRules&) = default;
};

/// What limits the size.
enum class WindowLimit {
    demand,         // no limit: there was never more to send
    ceiling,        // the configuration
    pool_full,      // an endpoint's pool is full
    account_limit,  // pools accept no more of this account
    absent,         // pools dropped transactions they had accepted
    delegated,      // the account is delegated (EIP-7702): pools accept one at a time
};
FP_ENUM_NAMES(WindowLimit, as_written, demand, ceiling, pool_full, account_limit, absent, delegated)

/// Stored with the submitter, for the next owner and for display.
struct WindowState {
    std::uint32_t size = 0;
    WindowLimit limit = WindowLimit::demand;

    friend bool operator==(const WindowState&, const WindowState&) = default;
};

class SendWindow {
public:
    /// `stored` is the state of the last owner: the window starts at half of it.
    SendWindow(WindowRules rules, const std::optional<WindowState>& stored);

    [[nodiscard]] std::uint32_t size() const { return delegated_ ? 1 : size_; }
    [[nodiscard]] WindowState state() const;
    /// Whether the current state (the lane's share of a full pool may be smaller than its own size) differs enough from
    /// the stored one to be stored.
    [[nodiscard]] bool needs_store(const WindowState& now) const;
    void stored(const WindowState& now) { stored_ = now; }

    /// Everything below `next` was sent. `full`: there was more to send than the window allowed.
    void sent(Nonce next, bool full, Instant now);
    /// Everything below `next` is held by a pool, or mined.
    void seen(Nonce next);
    /// Something sent at `sent_at` was refused, or is proven absent. One reduction per round: sends from before the
    /// last reduction carry no new information. Returns false if nothing changed.
    bool reduce(WindowLimit cause, Instant sent_at, Instant now);
    /// Nothing is in flight.
    void note_idle(Instant now);
    void set_delegated(bool delegated) { delegated_ = delegated; }
    [[nodiscard]] bool is_delegated() const { return delegated_; }

private:
    void grow();

    WindowRules rules_;
    std::uint32_t size_;
    WindowLimit cause_ = WindowLimit::demand;
    /// The size before the last reduction: at this size its cause no longer applies.
    std::uint32_t reduced_from_ = 0;
    bool delegated_ = false;
    std::optional<WindowState> stored_;
    /// Slow start until the first reduction: the size doubles per round; afterwards it grows by this step.
    std::optional<std::uint32_t> step_{};
    /// The current round ends when everything below is seen.
    std::optional<Nonce> round_end_{};
    bool was_full_ = false;
    std::optional<Instant> reduced_at_{};
    std::optional<Instant> idle_since_{};
};

}  // namespace fencepost
