// A node's handle on the shared store: every effect is a crash point; the node can be cut off, and answers lost.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ports/store/lane_store.hpp"
#include "ports/store/leases.hpp"
#include "ports/store/queries.hpp"
#include "support/crash_points.hpp"

namespace fencepost::scenario {

enum class StoreFault {
    none,
    unreachable,  // nothing gets there: unavailable
    answer_lost,  // written, but the answer is lost: unknown_outcome
    hangs,        // no answer until the fault is cleared
};

class FaultyStore final : public Leases, public LaneStore {
public:
    FaultyStore(Leases& leases, LaneStore& store, Clock& clock, CrashPoints& points)
        : leases_(leases),
          store_(store),
          clock_(clock),
          points_(points) {}

    void set_fault(StoreFault fault) { fault_ = fault; }
    /// Loses the answer of this write; the write itself is done.
    void lose_answer_of_write(std::size_t number) { lost_answer_ = number; }
    /// The write of this number is answered `conflict`, and nothing is written.
    void conflict_at_write(std::size_t number) { conflict_ = number; }
    /// The next loads of this submitter throw, which violates the port's contract.
    void throw_at_load(SubmitterId submitter, std::size_t times) { thrown_loads_ = {std::move(submitter), times}; }
    /// The next block loads fail.
    void fail_block_loads(std::size_t count) { failing_block_loads_ = count; }
    [[nodiscard]] std::size_t failing_block_loads_left() const { return failing_block_loads_; }
    /// The write of this number throws before anything is written.
    void throw_at_write(std::size_t number) { thrown_write_ = number; }
    /// The next writes are answered `busy`, and nothing is written.
    void answer_writes_busy(std::size_t count) { busy_writes_ = count; }
    [[nodiscard]] std::size_t busy_writes_left() const { return busy_writes_; }
    /// The next renewal is never answered; later ones are.
    void hang_next_renewal() { next_renewal_ = Renewal::hangs; }
    /// The next renewal throws.
    void throw_at_renewal() { next_renewal_ = Renewal::throws; }
    /// Delays queue reads after the database query.
    void delay_queue_reads(Duration delay) { queue_delay_ = delay; }
    /// Every commit takes so long.
    void delay_writes(Duration delay) { write_delay_ = delay; }
    /// Disables the fence, for tests that break the law on purpose: every write is accepted.
    void disable_fence(Queries& leases_on_record) { no_fence_ = &leases_on_record; }
    [[nodiscard]] std::size_t renew_calls() const { return renew_calls_; }
    /// The number of batches.
    [[nodiscard]] std::size_t commits() const { return writes_; }
    /// The writes through this handle, with their answers.
    [[nodiscard]] const std::vector<std::pair<LaneWrite, WriteAnswer>>& written() const { return written_; }

    Task<Result<OpenAnswer, StoreError>> open(SubmitterId submitter, NodeId node, Duration duration) override {
        co_await points_.pass_or_die("open", &clock_);
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        auto answer = co_await leases_.open(std::move(submitter), std::move(node), duration);
        co_await points_.pass_or_die("opened", &clock_);
        if (fault_ == StoreFault::answer_lost) co_return err(StoreError::unknown_outcome);
        co_return answer;
    }
    Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims,
                                                             Duration duration) override {
        ++renew_calls_;
        const auto how = std::exchange(next_renewal_, Renewal::answers);
        if (how == Renewal::hangs) co_await clock_.sleep_for(std::chrono::hours(1'000));
        if (how == Renewal::throws) throw std::runtime_error("an injected error in the store");
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        if (no_fence_ != nullptr) co_return std::vector(claims.size(), LeaseResult::renewed);
        co_return co_await leases_.renew(std::move(claims), duration);
    }
    Task<Status<StoreError>> release(std::vector<LeaseClaim> claims) override {
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        co_return co_await leases_.release(std::move(claims));
    }

    Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) override {
        co_await points_.pass_or_die("write", &clock_);
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        if (write_delay_ != Duration{}) co_await clock_.sleep_for(write_delay_);
        if (thrown_write_ == writes_) {
            ++writes_;
            throw std::runtime_error("an injected error in the store");
        }
        if (conflict_ == writes_) {
            ++writes_;
            co_return std::vector(batch.size(), WriteAnswer::conflict);
        }
        if (busy_writes_ > 0) {
            --busy_writes_;
            co_return std::vector(batch.size(), WriteAnswer::busy);
        }
        if (no_fence_ != nullptr) co_await forge_fences(&batch);
        auto answers = co_await store_.write(batch);
        for (std::size_t i = 0; answers && i < batch.size(); ++i)
            written_.emplace_back(batch[i], answers->at(i));
        co_await points_.pass_or_die("written", &clock_);
        if (fault_ == StoreFault::answer_lost || writes_++ == lost_answer_) co_return err(StoreError::unknown_outcome);
        co_return answers;
    }
    Task<Result<LaneState, StoreError>> load(SubmitterId submitter) override {
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        if (thrown_loads_ && thrown_loads_->first == submitter && thrown_loads_->second > 0) {
            --thrown_loads_->second;
            throw std::runtime_error("an injected error in the store");
        }
        co_return co_await store_.load(std::move(submitter));
    }
    Task<Result<LaneState, StoreError>> load_block(SubmitterId submitter, SettledBlock block) override {
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        if (failing_block_loads_ > 0) {
            --failing_block_loads_;
            co_return err(StoreError::unavailable);
        }
        co_return co_await store_.load_block(std::move(submitter), block);
    }
    Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter, AcceptSequence from,
                                                                      std::size_t limit) override {
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        auto items = co_await store_.head_of_queue(std::move(submitter), from, limit);
        if (queue_delay_ != Duration{}) co_await clock_.sleep_for(queue_delay_);
        co_return items;
    }
    Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId submitter,
                                                                             Duration window) override {
        if (!co_await reachable()) co_return err(StoreError::unavailable);
        co_return co_await store_.allocated_within(std::move(submitter), window);
    }

private:
    enum class Renewal { answers, hangs, throws };

    Task<bool> reachable() {
        while (fault_ == StoreFault::hangs)
            co_await clock_.sleep_for(std::chrono::milliseconds(10));
        co_return fault_ != StoreFault::unreachable;
    }

    Task<void> forge_fences(std::vector<LaneWrite>* batch) {
        for (auto& write : *batch) {
            const auto view = co_await no_fence_->submitter(write.submitter);
            if (view && view->lease) write.fence = {view->lease->owner, view->lease->token};
        }
    }

    Leases& leases_;
    LaneStore& store_;
    Clock& clock_;
    CrashPoints& points_;
    StoreFault fault_ = StoreFault::none;
    std::size_t writes_ = 0;
    std::size_t renew_calls_ = 0;
    std::size_t busy_writes_ = 0;
    std::size_t failing_block_loads_ = 0;
    Renewal next_renewal_ = Renewal::answers;
    std::optional<std::size_t> lost_answer_;
    std::optional<std::size_t> conflict_;
    std::optional<std::pair<SubmitterId, std::size_t>> thrown_loads_;
    std::optional<std::size_t> thrown_write_;
    Duration queue_delay_{};
    Duration write_delay_{};
    Queries* no_fence_ = nullptr;
    std::vector<std::pair<LaneWrite, WriteAnswer>> written_;
};

}  // namespace fencepost::scenario
