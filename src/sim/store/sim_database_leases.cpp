// Opens, renews and releases leases on the simulated database, with PostgreSQL's row locks.
#include <algorithm>
#include <utility>

#include "sim/store/sim_database.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::sim {

Task<void> SimDatabase::wait_for_row(SubmitterId submitter, OpenTransactionPtr transaction, bool evicts) {
    const auto blocker = locks_.holder(submitter);
    const auto end = world_.now() + options_.evict_after;
    const auto bell = std::make_shared<Wakeup>(fencepost::Executor(process_.executor()));
    locks_.wait(submitter, bell);
    if (evicts) process_.set_timer(end, [bell](boost::system::error_code /*never*/) { bell->notify(); });
    transaction->waits = true;
    co_await bell->wait();
    transaction->waits = false;
    // Evict only a transaction that does not wait itself: evicting another one frees nothing.
    if (locks_.holder(submitter) != blocker || blocker->waits) co_return;
    ++counts_.evictions;
    locks_.end(blocker, OpenTransaction::End::evicted);
}

// Returns with the row locked, or with a transaction that a database crash has ended.
Task<void> SimDatabase::lock(SubmitterId submitter, OpenTransactionPtr transaction, bool evicts) {
    if (evicts && locks_.holder(submitter)) ++counts_.blocked_openings;
    while (transaction->end == OpenTransaction::End::open && !locks_.try_lock(submitter, transaction))
        co_await wait_for_row(submitter, transaction, evicts);
}

Task<Result<OpenAnswer, StoreError>> SimDatabase::open(CallPtr call, SubmitterId submitter, NodeId node,
                                                       Duration duration) {
    // A healthy owner is not blocked: wait only for an expired or released lease, or for one's own.
    const auto seen = co_await lease_of(submitter);
    const auto looked_at = mutants_.opening_time(*call, node, seen, unix_now());
    if (open_lease(seen, node, looked_at, duration).result == LeaseResult::not_owner) {
        co_return OpenAnswer{LeaseResult::not_owner, std::nullopt};
    }
    const auto transaction = execute();
    if (mutants_.locks_rows(*call)) co_await lock(submitter, transaction, true);
    const auto locked_at = unix_now();
    if (const auto refusal = co_await reach_commit(call, transaction)) co_return err(*refusal);

    const auto before = co_await lease_of(submitter);
    const auto executed_at = mutants_.opening_time(*call, node, before, locked_at);
    sql_time_ = executed_at;
    const auto answer = co_await open_row(submitter, node, duration, before, executed_at);
    sql_time_.reset();
    locks_.end(transaction, OpenTransaction::End::committed);
    if (!answer) co_return err(answer.error());
    world_.note(name_of(answer->result));
    notify(Opened{call->caller->name(), submitter, *answer, before, locked_at, world_.unix_now()});
    co_return answer;
}

Task<Result<OpenAnswer, StoreError>> SimDatabase::open_row(SubmitterId submitter, NodeId node, Duration duration,
                                                           std::optional<Lease> before, UnixTime at) {
    if (!mutants_.keeps_token(before, node, at)) co_return co_await store_->open(submitter, node, duration);
    const Fence kept{node, before->token};
    const auto renewed = co_await store_->renew({{submitter, kept}}, duration);
    if (!renewed) co_return err(renewed.error());
    co_return OpenAnswer{LeaseResult::reopened, kept};
}

// Rows with another token are not locked: those claims are answered not_owner in any case, because tokens only rise and
// an expired lease is not renewed.
Task<std::vector<std::size_t>> SimDatabase::lock_for_renewal(std::vector<LeaseClaim> claims,
                                                             OpenTransactionPtr transaction) {
    std::vector<std::size_t> to_renew;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const auto lease = co_await lease_of(claims[i].submitter);
        const bool is_held = holds(lease, claims[i].fence, transaction->executed_at);
        if (!is_held || locks_.try_lock(claims[i].submitter, transaction)) to_renew.push_back(i);
    }
    co_return to_renew;
}

Task<Result<std::vector<LeaseResult>, StoreError>> SimDatabase::renew(CallPtr call, std::vector<LeaseClaim> claims,
                                                                      Duration duration) {
    const auto transaction = execute();
    const auto to_renew = co_await lock_for_renewal(claims, transaction);
    counts_.busy += claims.size() - to_renew.size();
    if (const auto refusal = co_await reach_commit(call, transaction)) co_return err(*refusal);

    std::vector<LeaseClaim> asked;
    std::vector<std::optional<Lease>> before;
    for (const auto i : to_renew) {
        asked.push_back(claims[i]);
        before.push_back(co_await lease_of(claims[i].submitter));
    }
    sql_time_ = transaction->executed_at;
    const auto answers = co_await store_->renew(asked, duration);
    sql_time_.reset();
    locks_.end(transaction, OpenTransaction::End::committed);
    if (!answers) co_return err(answers.error());
    std::vector<LeaseResult> results(claims.size(), LeaseResult::busy);
    for (std::size_t k = 0; k < to_renew.size(); ++k) {
        results[to_renew[k]] = answers->at(k);
        notify(Renewed{call->caller->name(), asked[k], answers->at(k), before[k], transaction->executed_at,
                       world_.unix_now()});
    }
    co_return results;
}

// Locks in a fixed order, waiting for each row.
Task<void> SimDatabase::lock_own(std::vector<LeaseClaim> claims, OpenTransactionPtr transaction) {
    std::ranges::sort(claims, {}, &LeaseClaim::submitter);
    for (const auto& claim : claims) {
        const auto lease = co_await lease_of(claim.submitter);
        if (lease && Fence{lease->owner, lease->token} == claim.fence)
            co_await lock(claim.submitter, transaction, false);
    }
}

Task<Status<StoreError>> SimDatabase::release(CallPtr call, std::vector<LeaseClaim> claims) {
    const auto transaction = execute();
    if (mutants_.locks_rows(*call)) co_await lock_own(claims, transaction);
    if (const auto refusal = co_await reach_commit(call, transaction)) co_return err(*refusal);
    std::vector<std::optional<Lease>> before;
    before.reserve(claims.size());
    for (const auto& claim : claims)
        before.push_back(co_await lease_of(claim.submitter));
    const auto released = co_await store_->release(mutants_.mutate_release(claims, before));
    locks_.end(transaction, OpenTransaction::End::committed);
    if (!released) co_return err(released.error());
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const auto after = co_await lease_of(claims[i].submitter);
        notify(Released{call->caller->name(), claims[i], before[i], after, world_.unix_now()});
    }
    co_return Status<StoreError>{};
}

}  // namespace fencepost::sim
