#include "sim/store/lease_locks.hpp"

#include <set>
#include <utility>

namespace fencepost::sim {

OpenTransactionPtr LeaseLocks::holder(const SubmitterId& submitter) const {
    const auto found = held_.find(submitter);
    return found == held_.end() ? nullptr : found->second;
}

bool LeaseLocks::try_lock(const SubmitterId& submitter, const OpenTransactionPtr& transaction) {
    return held_.try_emplace(submitter, transaction).first->second == transaction;
}

void LeaseLocks::end(const OpenTransactionPtr& transaction, OpenTransaction::End how) {
    if (transaction->end == OpenTransaction::End::open) transaction->end = how;
    for (auto row = held_.begin(); row != held_.end();) {
        if (row->second != transaction) {
            ++row;
            continue;
        }
        const auto [first, last] = waiting_.equal_range(row->first);
        for (auto waiter = first; waiter != last; ++waiter)
            waiter->second->notify();
        waiting_.erase(first, last);
        row = held_.erase(row);
    }
}

std::size_t LeaseLocks::roll_back_all() {
    std::set<OpenTransactionPtr> transactions;
    for (const auto& [submitter, transaction] : held_)
        transactions.insert(transaction);
    for (const auto& transaction : transactions)
        transaction->end = OpenTransaction::End::rolled_back;
    held_.clear();
    for (const auto& [submitter, bell] : std::exchange(waiting_, {}))
        bell->notify();
    return transactions.size();
}

void LeaseLocks::wait(const SubmitterId& submitter, std::shared_ptr<Wakeup> bell) {
    waiting_.emplace(submitter, std::move(bell));
}

}  // namespace fencepost::sim
