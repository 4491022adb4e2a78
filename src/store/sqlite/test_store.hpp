// A store on a temporary file in virtual time, with shortcuts for what a lane does.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/test_file.hpp"

namespace fencepost::store::sqlite {

using namespace std::chrono_literals;

inline const auto alice = SubmitterId::evm(1, {});
inline const NodeId node("node-1");

class StoreTest : public testing::Test {
protected:
    [[nodiscard]] SqliteOptions options(Execution execution = Execution::in_place) {
        return {
            .path = file_.path(), .now = [this] { return now_.load(); }, .execution = execution, .busy_timeout = 0ms};
    }
    [[nodiscard]] std::unique_ptr<SqliteStore> store(Execution execution = Execution::in_place) {
        return std::move(SqliteStore::open(options(execution)).value());
    }
    [[nodiscard]] std::string refusal() { return SqliteStore::open(options()).error(); }
    [[nodiscard]] Database raw() {
        return {file_.path(), [this] { return now_.load(); }, 0ms};
    }

    template <typename T>
    T run(Task<T> task) {
        asio::io_context context;
        auto answer = asio::co_spawn(context, std::move(task), asio::use_future);
        context.run();
        return answer.get();
    }

    TxId accept(Store& store, std::uint8_t number) {
        Uuid id;
        id.data[15] = number;
        const NewIntent intent{TxId(id), alice, std::nullopt, {.value = Wei(number)}};
        EXPECT_EQ(run(store.accept({intent})).value().at(0).kind, AcceptKind::accepted);
        return intent.id;
    }
    Fence open(Store& store) { return *run(store.open(alice, node, 10s)).value().fence; }
    WriteAnswer write(Store& store, LaneWrite write) { return run(store.write({std::move(write)})).value().at(0); }

    static TxHash hash(std::uint8_t fill) {
        TxHash result;
        result.data.fill(fill);
        return result;
    }

    /// Its attempt has hash(nonce + 1).
    static LaneWrite allocation(const Fence& fence, TxId tx, Nonce nonce) {
        const auto first = hash(static_cast<std::uint8_t>(nonce.value() + 1));
        const auto expected = nonce == Nonce(0) ? std::nullopt : std::optional(nonce);
        return {.submitter = alice,
                .fence = fence,
                .cursor = CursorMove{expected, nonce.next()},
                .transactions = {{.tx = tx,
                                  .expected = {State::queued},
                                  .to = {State::allocated},
                                  .nonce = nonce,
                                  .attempts = {{.nonce = nonce, .hash = first, .raw = {1, 2}}},
                                  .events = {TxSubmitted{first}},
                                  .history = {{HistoryKind::allocated, "first"}}}}};
    }

    TestFile file_;
    std::atomic<UnixTime> now_{UnixTime(1000s)};
};

}  // namespace fencepost::store::sqlite
