// A node's handle on the nonces of shared keys: every write is a crash point, and answers can be lost.
#pragma once

#include <utility>

#include "ports/store/relaxed_nonces.hpp"
#include "support/crash_points.hpp"

namespace fencepost::scenario {

class FaultyRelaxedNonces final : public RelaxedNonces {
public:
    FaultyRelaxedNonces(RelaxedNonces& nonces, Clock& clock, CrashPoints& points)
        : nonces_(nonces),
          clock_(clock),
          points_(points) {}

    /// Loses the answer of this reservation; it is written.
    void lose_answer_of_reservation(std::size_t number) { lost_answer_ = number; }
    /// The next reservations find a locked row.
    void answer_busy(std::size_t times) { busy_ = times; }
    [[nodiscard]] std::size_t reservations() const { return reservations_; }

    Task<Result<Reservation, StoreError>> reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                  NonceBounds bounds, Duration timeout) override {
        co_await points_.pass_or_die("reserve", &clock_);
        if (busy_ > 0) {
            --busy_;
            co_return Reservation{.answer = WriteAnswer::busy};
        }
        auto reservation =
            co_await nonces_.reserve(std::move(submitter), std::move(fence), std::move(owner), bounds, timeout);
        co_await points_.pass_or_die("reserved", &clock_);
        if (reservations_++ == lost_answer_) co_return err(StoreError::unknown_outcome);
        co_return reservation;
    }
    Task<Result<WriteAnswer, StoreError>> mark_in_flight(SubmitterId submitter, Fence fence, LockOwner owner,
                                                         Nonce nonce, TxHash hash) override {
        return nonces_.mark_in_flight(std::move(submitter), std::move(fence), std::move(owner), nonce, hash);
    }
    Task<Result<WriteAnswer, StoreError>> mark_used(SubmitterId submitter, Fence fence, LockOwner owner, Nonce nonce,
                                                    TxHash hash) override {
        return nonces_.mark_used(std::move(submitter), std::move(fence), std::move(owner), nonce, hash);
    }
    Task<Result<WriteAnswer, StoreError>> mark_recyclable(SubmitterId submitter, Fence fence, LockOwner owner,
                                                          Nonce nonce, std::string reason) override {
        return nonces_.mark_recyclable(std::move(submitter), std::move(fence), std::move(owner), nonce,
                                       std::move(reason));
    }
    Task<Result<Alignment, StoreError>> align(SubmitterId submitter, Fence fence, Nonce chain_next) override {
        co_await points_.pass_or_die("align", &clock_);
        auto alignment = co_await nonces_.align(std::move(submitter), std::move(fence), chain_next);
        co_await points_.pass_or_die("aligned", &clock_);
        co_return alignment;
    }
    Task<Result<AllocationCounts, StoreError>> allocations(SubmitterId submitter) override {
        return nonces_.allocations(std::move(submitter));
    }
    Task<Result<std::optional<Nonce>, StoreError>> lowest_recyclable(SubmitterId submitter, Nonce from) override {
        return nonces_.lowest_recyclable(std::move(submitter), from);
    }

private:
    RelaxedNonces& nonces_;
    Clock& clock_;
    CrashPoints& points_;
    std::size_t reservations_ = 0;
    std::size_t busy_ = 0;
    std::optional<std::size_t> lost_answer_;
};

}  // namespace fencepost::scenario
