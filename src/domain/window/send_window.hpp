// How many of a submitter's transactions may wait in pools at once. Found by trying, as TCP finds what a network can
// carry: it grows while everything that was sent is seen in a pool or a block, and shrinks when something is refused or
// proven absent. Pure: instants go in, a number comes out.
#pragma once

#include <cstdint>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost {

/// `nonce.window`: "auto", or a fixed number, which is then start and ceiling.
struct WindowRules {
    std::uint32_t start = 16;
    std::uint32_t ceiling = 4'096;

    constexpr WindowRules() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a number is a rule.
    constexpr WindowRules(std::uint32_t fixed) : start(fixed), ceiling(fixed) {}

    [[nodiscard]] constexpr bool is_fixed() const { return start == ceiling; }
    friend bool operator==(const WindowRules&, const WindowRules&) = default;
};

/// What keeps it from being larger.
enum class WindowLimit {
    demand,         // nothing: there was never more to send
    ceiling,        // the configuration
    pool_full,      // an endpoint's pool is full
    account_limit,  // pools take no more of this account
    absent,         // pools dropped what they had taken
    delegated,      // the account is delegated (EIP-7702): pools take one at a time
};
FP_ENUM_NAMES(WindowLimit, as_written, demand, ceiling, pool_full, account_limit, absent, delegated)

/// As it is stored with the submitter, for the next owner and for people.
struct WindowState {
    std::uint32_t size = 0;
    WindowLimit limit = WindowLimit::demand;

    friend bool operator==(const WindowState&, const WindowState&) = default;
};

class SendWindow {
public:
    /// `stored` is what the last owner wrote: half of it is where this one begins.
    SendWindow(WindowRules rules, const std::optional<WindowState>& stored);

    [[nodiscard]] std::uint32_t size() const { return delegated_ ? 1 : size_; }
    [[nodiscard]] WindowState state() const;
    /// As it is now (the lane's share of a full pool may be smaller than what it has found), it is so far from what was
    /// stored last that it is to be stored.
    [[nodiscard]] bool is_to_be_stored(const WindowState& now) const;
    void stored(const WindowState& now) { stored_ = now; }

    /// Everything below `next` was sent. `full`: and there was more that did not fit.
    void sent(Nonce next, bool full, Instant now);
    /// Everything below `next` is held by a pool, or mined.
    void seen(Nonce next);
    /// What was sent then was refused, or is proven absent. One reduction per round: what was sent before the last one
    /// says nothing new. False: nothing was changed.
    bool reduce(WindowLimit cause, Instant sent_at, Instant now);
    /// Nothing is in flight.
    void rest(Instant now);
    void set_delegated(bool delegated) { delegated_ = delegated; }
    [[nodiscard]] bool is_delegated() const { return delegated_; }

private:
    void grow();

    WindowRules rules_;
    std::uint32_t size_;
    WindowLimit cause_ = WindowLimit::demand;
    /// What it was before the last reduction: at this size the cause of that is past.
    std::uint32_t reduced_from_ = 0;
    bool delegated_ = false;
    std::optional<WindowState> stored_;
    /// Until the first reduction it doubles in each round; after that it grows by as much each time.
    std::optional<std::uint32_t> step_{};
    /// The round that is under way ends when everything below is seen.
    std::optional<Nonce> round_end_{};
    bool was_full_ = false;
    std::optional<Instant> reduced_at_{};
    std::optional<Instant> resting_since_{};
};

}  // namespace fencepost
