// Accepts intents on the simulated database: no lock, one moment; but that moment may come after the caller stopped
// waiting.
#include <utility>

#include "sim/store/sim_database.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::sim {

Task<Result<std::vector<AcceptAnswer>, StoreError>> SimDatabase::accept(CallPtr call, std::vector<NewIntent> batch) {
    // Mutant: the client gets its promise before the intent is on record, which may never happen.
    if (mutants_.is(DatabaseMutant::accept_answered_before_commit) && co_await all_new(batch)) {
        std::vector<AcceptAnswer> answers;
        answers.reserve(batch.size());
        for (const auto& intent : batch)
            answers.push_back({AcceptKind::accepted, intent.id, ""});
        world_.spawn(process_, accept_after_answer(std::move(call), std::move(batch)));
        co_return answers;
    }
    co_return co_await commit_accept(std::move(call), std::move(batch));
}

Task<Result<std::vector<AcceptAnswer>, StoreError>> SimDatabase::commit_accept(CallPtr call,
                                                                               std::vector<NewIntent> batch) {
    if (const auto refusal = co_await unfenced_commit(call)) co_return err(*refusal);
    std::vector<NewIntent> stored;
    stored.reserve(batch.size());
    for (const auto& intent : batch)
        stored.push_back(mutants_.mutate_accept(intent));
    const auto answers = co_await store_->accept(std::move(stored));
    for (std::size_t i = 0; answers && i < batch.size(); ++i) {
        world_.note(name_of(answers->at(i).kind));
        notify(Accepted{call->caller->name(), batch[i], answers->at(i), world_.unix_now()});
    }
    co_return answers;
}

Task<void> SimDatabase::accept_after_answer(CallPtr call, std::vector<NewIntent> batch) {
    if (mutants_.drops_accepted()) co_return;
    std::ignore = co_await commit_accept(std::move(call), std::move(batch));
}

Task<bool> SimDatabase::all_new(std::vector<NewIntent> batch) {
    for (const auto& intent : batch) {
        const auto status = co_await store_->submitter(intent.submitter);
        if (!status || status->status.status != SubmitterStatus::active) co_return false;
        const auto same_id = co_await store_->by_id(intent.id);
        if (!same_id || *same_id) co_return false;
        if (!intent.request) continue;
        const auto same_request = co_await store_->by_request(intent.submitter, *intent.request);
        if (!same_request || *same_request) co_return false;
    }
    co_return true;
}

}  // namespace fencepost::sim
