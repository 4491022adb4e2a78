// One consumer's stream of heads. It stores only the last block it reported, so its memory is bounded: what a slow
// consumer missed is computed when it asks.
#pragma once

#include <memory>

#include "ports/chain.hpp"
#include "sim/chain/sim_follower.hpp"

namespace fencepost::sim {

class SimHeadStream : public HeadStream {
public:
    SimHeadStream(SimNode& node, SimNetwork& network, std::shared_ptr<SimFollower> follower);
    ~SimHeadStream() override;
    SimHeadStream(const SimHeadStream&) = delete;
    SimHeadStream& operator=(const SimHeadStream&) = delete;

    /// Cancelling a call loses nothing: the next call returns the event.
    [[nodiscard]] Task<HeadEvent> next() override;

private:
    [[nodiscard]] Task<void> wait_for_change();
    [[nodiscard]] HeadEvent make_event(const SimBlock& head);

    SimNetwork& network_;
    SimClock clock_;
    SeededRandom random_;
    std::shared_ptr<SimFollower> follower_;
    std::shared_ptr<HeadWakeups> head_wakeups_;
    Wakeup bell_;
    const SimBlock* last_reported_ = nullptr;
    std::optional<BlockNumber> finalized_;
    std::size_t last_reported_steps_ = 0;  // of the ledger, at the last event
};

}  // namespace fencepost::sim
