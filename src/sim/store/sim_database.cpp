#include "sim/store/sim_database.hpp"

#include <utility>

#include "base/assert.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::sim {
namespace {

std::unique_ptr<store::SqliteStore> open_in_memory(std::function<UnixTime()> now) {
    auto store =
        store::SqliteStore::open({.path = ":memory:", .now = std::move(now), .execution = store::Execution::in_place});
    FP_ASSERT(store.has_value(), "{}", store.error());
    return std::move(*store);
}

}  // namespace

SimDatabase::SimDatabase(World& world, DatabaseOptions options)
    : world_(world),
      process_(world.start_node("database")),
      clock_(process_),
      random_(world.random().fork()),
      options_(options),
      store_(open_in_memory([this] { return sql_time_.value_or(unix_now()); })),
      mutants_(options_.mutant, *store_, random_.fork()) {}

SimDatabase::~SimDatabase() = default;

Store& SimDatabase::truth() { return *store_; }

void SimDatabase::cut_off(const std::string& node, bool cut) {
    if (cut) {
        cut_off_.insert(node);
    } else {
        cut_off_.erase(node);
    }
}

void SimDatabase::set_clock(Duration off_by) {
    clock_offset_ = off_by;
    clock_set_at_ = world_.now();
}

bool SimDatabase::clock_was_set_within(Duration time) const {
    return clock_set_at_ && world_.now() <= *clock_set_at_ + time;
}

UnixTime SimDatabase::unix_now() const {
    return world_.unix_now() + std::chrono::duration_cast<std::chrono::microseconds>(clock_offset_);
}

void SimDatabase::set_down(bool down) {
    if (down && !down_) {
        ++outages_;
        locks_.roll_back_all();
    }
    down_ = down;
}

CallPtr SimDatabase::begin(SimNode& caller, Effect effect) {
    ++counts_.calls;
    const CallTimes times{options_.way, options_.commit, options_.call_timeout};
    auto call = std::make_shared<DatabaseCall>(&caller, effect, draw_plan(random_, options_.faults, times, effect),
                                               world_.unix_now());
    if (cut_off_.contains(caller.name())) {
        ++counts_.cut_off;
        call->left = false;
    }
    if (down_) ++counts_.refused_while_down;
    if (call->left && !down_ && call->plan.fault == DatabaseFault::slow) ++counts_.slow;
    return call;
}

bool SimDatabase::arrives(DatabaseCall& call) {
    call.outage = outages_;
    if (call.plan.fault == DatabaseFault::request_lost) {
        ++counts_.requests_lost;
        return false;
    }
    if (cut_off_.contains(call.caller->name())) {
        ++counts_.cut_off;
        return false;
    }
    return !down_;
}

AnswerDelivery SimDatabase::answer_delivery(const DatabaseCall& call) {
    if (cut_off_.contains(call.caller->name())) return AnswerDelivery::silent;
    const bool is_lost = call.plan.fault == DatabaseFault::answer_lost;
    if (is_lost) ++counts_.answers_lost;
    if (!is_lost && call.outage == outages_) return AnswerDelivery::open;
    return call.plan.breaks ? AnswerDelivery::breaks : AnswerDelivery::silent;
}

StoreError SimDatabase::error_without_answer(const DatabaseCall& call) const {
    if (call.effect == Effect::read || !call.left) return StoreError::unavailable;
    return mutants_.mutate_error(StoreError::unknown_outcome);
}

StoreError SimDatabase::time_out(DatabaseCall& call) {
    ++counts_.timed_out;
    call.timed_out = true;
    return error_without_answer(call);
}

OpenTransactionPtr SimDatabase::execute() const {
    auto transaction = std::make_shared<OpenTransaction>();
    transaction->executed_at = unix_now();
    return transaction;
}

Task<SimDatabase::Refusal> SimDatabase::unfenced_commit(CallPtr call) {
    return reach_commit(std::move(call), execute());
}

Task<SimDatabase::Refusal> SimDatabase::reach_commit(CallPtr call, OpenTransactionPtr transaction) {
    co_await clock_.sleep_for(call->plan.commit);
    if (transaction->end == OpenTransaction::End::evicted) {
        co_return call->plan.commit_was_sent ? mutants_.mutate_error(StoreError::unknown_outcome)
                                             : StoreError::unavailable;
    }
    if (call->outage != outages_) {
        ++counts_.rolled_back_by_outage;
        locks_.end(transaction, OpenTransaction::End::rolled_back);
        co_return StoreError::unknown_outcome;  // the connection is gone: the caller does not see it
    }
    if (call->plan.fault == DatabaseFault::serialization_failure) {
        ++counts_.serialization_failures;
        locks_.end(transaction, OpenTransaction::End::rolled_back);
        co_return StoreError::unavailable;
    }
    count_commit(*call);
    co_return std::nullopt;
}

void SimDatabase::count_commit(const DatabaseCall& call) {
    if (!call.caller->is_alive()) ++counts_.commits_after_node_death;
    if (call.timed_out) ++counts_.commits_late;
}

Task<std::optional<Lease>> SimDatabase::lease_of(SubmitterId submitter) {
    const auto lease = co_await store_->lease(std::move(submitter));
    co_return lease ? *lease : std::nullopt;
}

void SimDatabase::notify(const DatabaseEvent& event) {
    for (const auto& watcher : watchers_)
        watcher(event);
}

}  // namespace fencepost::sim
