// Sends a call to the database and its answer back. Private to the sources of SimStore, which share it.
#pragma once

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "sim/store/sim_store.hpp"

namespace fencepost::sim {

/// Runs on the database's process; the caller may end first.
template <typename T, typename Work>
Task<void> serve(SimDatabase* database, CallPtr call, Work work, std::shared_ptr<Reply<T>> reply,
                 fencepost::Executor caller) {
    co_await database->clock().sleep_for(call->plan.there);
    if (!database->arrives(*call)) co_return;
    auto answer = co_await work(*database, call);
    co_await database->clock().sleep_for(call->plan.back);
    const auto answer_delivery = database->answer_delivery(*call);
    if (answer_delivery == AnswerDelivery::silent) co_return;
    if (answer_delivery == AnswerDelivery::breaks) answer = err(database->error_without_answer(*call));
    // A dead node's executor drops this.
    asio::post(caller, [reply, answer = std::move(answer)]() mutable {
        reply->answer = std::move(answer);
        reply->bell.notify();
    });
}

template <typename T>
Task<Result<T, StoreError>> SimStore::ask(Effect effect, Work<T> work) {
    SimClock clock(process_);
    const auto call = database_.begin(process_, effect);
    if (database_.is_down()) {
        co_await clock.sleep_for(std::min(call->plan.there, call->plan.patience));
        co_return err(StoreError::unavailable);
    }
    const fencepost::Executor executor(process_.executor());
    const auto reply = std::make_shared<Reply<T>>(executor);
    if (call->left) {
        process_.world().spawn(database_.process(), serve<T>(&database_, call, std::move(work), reply, executor));
    }
    const auto timer = process_.set_timer(clock.monotonic() + call->plan.patience,
                                          [reply](boost::system::error_code /*either*/) { reply->bell.notify(); });
    co_await reply->bell.wait();
    process_.drop_timer(timer);
    if (reply->answer) co_return std::move(*reply->answer);
    co_return err(database_.time_out(*call));
}

template <typename T>
Task<Result<T, StoreError>> SimStore::read(StoreCall<T> store_call) {
    return ask<T>(Effect::read, [store_call = std::move(store_call)](SimDatabase& database, const CallPtr& /*call*/) {
        return store_call(database.truth());
    });
}

/// A write without a fence or a lock.
template <typename T>
Task<Result<T, StoreError>> commit_unfenced(SimDatabase* database, CallPtr call,
                                            std::function<Task<Result<T, StoreError>>(Store&)> store_call) {
    if (const auto refusal = co_await database->unfenced_commit(std::move(call))) co_return err(*refusal);
    co_return co_await store_call(database->truth());
}

template <typename T>
Task<Result<T, StoreError>> SimStore::change(StoreCall<T> store_call) {
    return ask<T>(Effect::write, [store_call = std::move(store_call)](SimDatabase& database, CallPtr call) {
        return commit_unfenced<T>(&database, std::move(call), store_call);
    });
}

}  // namespace fencepost::sim
