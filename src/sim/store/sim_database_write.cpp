// A lane's write on the simulated database: execution, commit and answer.
#include <algorithm>
#include <utility>

#include "sim/store/sim_database.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::sim {

// A write between its execution and its answer.
struct SimDatabase::WriteParts {
    std::vector<LaneWrite> batch;
    std::vector<WriteAnswer> answers;
    std::vector<std::size_t> to_write;  // indexes of the parts to commit
    std::vector<bool> held;             // whether each part's fence held at execution; only where needed
    OpenTransactionPtr transaction;
};

// Locks without waiting. For rows locked by others, lost leases are distinguished from busy ones. A second part for the
// same submitter is busy.
Task<void> SimDatabase::execute_write(CallPtr call, std::shared_ptr<WriteParts> parts) {
    std::set<SubmitterId> seen;
    const bool locks = mutants_.locks_rows(*call);
    for (std::size_t i = 0; i < parts->batch.size(); ++i) {
        const auto& part = parts->batch[i];
        const bool is_first = seen.insert(part.submitter).second;
        const bool is_ours = is_first && (!locks || locks_.try_lock(part.submitter, parts->transaction));
        const bool needs_look = !is_ours || !locks || mutants_.is(DatabaseMutant::write_answered_before_commit);
        const auto lease = needs_look ? co_await lease_of(part.submitter) : std::nullopt;
        parts->held.push_back(holds(lease, part.fence, parts->transaction->executed_at));
        if (is_ours) {
            parts->to_write.push_back(i);
        } else if (is_first && !parts->held.back()) {
            parts->answers[i] = WriteAnswer::fenced;
            ++counts_.fenced;
        } else {
            ++counts_.busy;
        }
    }
}

Task<Result<std::vector<WriteAnswer>, StoreError>> SimDatabase::write(CallPtr call, std::vector<LaneWrite> batch) {
    const std::size_t count = batch.size();
    auto parts = std::make_shared<WriteParts>(std::move(batch), std::vector(count, WriteAnswer::busy),
                                              std::vector<std::size_t>{}, std::vector<bool>{}, execute());
    co_await execute_write(call, parts);
    if (parts->to_write.empty()) co_return parts->answers;
    // Mutant: the lane gets its answer before the write is on record.
    const auto is_held = [&parts](std::size_t i) { return parts->held[i]; };
    if (mutants_.is(DatabaseMutant::write_answered_before_commit) && std::ranges::all_of(parts->to_write, is_held)) {
        auto answers = parts->answers;
        for (const auto i : parts->to_write)
            answers[i] = WriteAnswer::applied;
        world_.spawn(process_, commit_after_answer(call, parts));
        co_return answers;
    }
    if (const auto refusal = co_await commit_write(call, parts)) co_return err(*refusal);
    co_return parts->answers;
}

Task<void> SimDatabase::commit_after_answer(CallPtr call, std::shared_ptr<WriteParts> parts) {
    co_await clock_.sleep_for(mutants_.commit_after_answer());
    if (call->caller->is_alive()) {
        std::ignore = co_await commit_write(call, parts);
    } else {
        locks_.end(parts->transaction, OpenTransaction::End::rolled_back);
    }
}

Task<SimDatabase::Refusal> SimDatabase::commit_write(CallPtr call, std::shared_ptr<WriteParts> parts) {
    if (const auto refusal = co_await reach_commit(call, parts->transaction)) co_return refusal;
    const auto executed_at = parts->transaction->executed_at;
    const bool late = call->plan.fault == DatabaseFault::commit_late;
    std::vector<std::optional<Lease>> leases;
    std::vector<LaneWrite> written;
    // Nothing waits between here and the end of SQLite's own transaction, so no other call sees this time.
    sql_time_ = executed_at;
    for (const auto i : parts->to_write) {
        leases.push_back(co_await lease_of(parts->batch[i].submitter));
        written.push_back(
            co_await mutants_.mutate_write(parts->batch[i], late, parts->held[i], leases.back(), executed_at));
    }
    const auto answers = co_await store_->write(std::move(written));
    sql_time_.reset();
    locks_.end(parts->transaction, OpenTransaction::End::committed);
    if (!answers) co_return answers.error();
    for (std::size_t k = 0; k < parts->to_write.size(); ++k) {
        const auto i = parts->to_write[k];
        parts->answers[i] = answers->at(k);
        if (answers->at(k) == WriteAnswer::fenced) ++counts_.fenced;
        world_.note(name_of(answers->at(k)));
        notify(Committed{call->caller->name(), std::move(parts->batch[i]), answers->at(k), executed_at,
                         world_.unix_now(), leases[k], call->asked_at});
    }
    co_return std::nullopt;
}

Task<Result<WriteAnswer, StoreError>> SimDatabase::write_outside_lane(CallPtr call, LeaseClaim claim, FencedWork work) {
    const auto transaction = execute();
    if (mutants_.locks_rows(*call) && !locks_.try_lock(claim.submitter, transaction)) {
        const auto lease = co_await lease_of(claim.submitter);
        const bool held = holds(lease, claim.fence, transaction->executed_at);
        ++(held ? counts_.busy : counts_.fenced);
        co_return held ? WriteAnswer::busy : WriteAnswer::fenced;
    }
    if (const auto refusal = co_await reach_commit(call, transaction)) co_return err(*refusal);
    const auto executed_at = transaction->executed_at;
    sql_time_ = executed_at;
    const auto lease = co_await lease_of(claim.submitter);
    const auto fence = co_await mutants_.fence_outside_lane(claim, lease, executed_at);
    const auto answer = co_await work(*store_, fence);
    sql_time_.reset();
    locks_.end(transaction, OpenTransaction::End::committed);
    if (!answer) co_return answer;
    if (*answer == WriteAnswer::fenced) ++counts_.fenced;
    world_.note(name_of(*answer));
    notify(Committed{call->caller->name(), LaneWrite{.submitter = claim.submitter, .fence = claim.fence}, *answer,
                     executed_at, world_.unix_now(), lease, call->asked_at});
    co_return answer;
}

}  // namespace fencepost::sim
