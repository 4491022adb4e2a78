// The load of the store benchmark: transactions of 20 submitters that are accepted, allocated, mined and confirmed in
// batches, through the store port and with the writes of a lane.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/store/store.hpp"

namespace fencepost::bench {

inline constexpr std::size_t submitters = 20;

/// The time of each phase of the transactions' life cycle, with the number of transactions and batches.
struct PhaseTimes {
    std::size_t batches = 0;
    std::size_t transactions = 0;
    Duration accept{};
    Duration allocate{};
    Duration settle{};

    [[nodiscard]] Duration whole() const { return accept + allocate + settle; }
    PhaseTimes& operator+=(const PhaseTimes& more);
};

/// A transaction as its lane knows it.
struct Item {
    TxId id;
    std::size_t submitter = 0;
    Nonce nonce{};
};
using Batch = std::vector<Item>;

[[nodiscard]] const SubmitterId& submitter_at(std::size_t index);
[[nodiscard]] Intent sample_intent();
[[nodiscard]] Attempt attempt_of(const Item& item);
[[nodiscard]] Receipt receipt_of(const Item& item);
[[nodiscard]] std::vector<BlockRef> sample_confirmations();

/// Makes the next batch: new ids, submitters round-robin.
class Source {
public:
    Source(const Clock& clock, Random& random) : clock_(clock), random_(random) {}

    [[nodiscard]] Batch next(std::size_t size);

private:
    const Clock& clock_;
    Random& random_;
    UuidV7Generator ids_;
    std::size_t turn_ = 0;
    std::array<std::uint64_t, submitters> nonces_{};
};

enum class EventMode {
    events,   // as a lane does
    nothing,  // to measure the cost of events
};

/// Throws std::runtime_error when a store call fails.
class LifecycleLoad {
public:
    LifecycleLoad(Store& store, const Clock& clock, Random& random);

    /// Must be called once, before run().
    [[nodiscard]] Task<void> open_lanes();
    /// Complete life cycles, one batch after another, for this long.
    [[nodiscard]] Task<PhaseTimes> run(std::size_t batch_size, Duration how_long, EventMode event_mode);

private:
    Task<void> accept(Batch batch);
    Task<void> allocate(Batch batch);
    Task<void> mine(Batch batch, EventMode event_mode);
    Task<void> confirm(Batch batch, EventMode event_mode);
    Task<void> write(std::vector<LaneWrite> writes);
    /// One write per submitter, with an update per transaction.
    template <typename MakeUpdate>
    [[nodiscard]] std::vector<LaneWrite> by_submitter(const Batch& batch, MakeUpdate make_update) const;

    Store& store_;
    const Clock& clock_;
    Source source_;
    std::vector<Fence> fences_;
    std::array<std::optional<Nonce>, submitters> cursors_{};
};

}  // namespace fencepost::bench
