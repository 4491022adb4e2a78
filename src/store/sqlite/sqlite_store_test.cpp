// What the contract suite cannot cover: files, schemas, time, threads and failing disks.
#include "store/sqlite/sqlite_store.hpp"

#include <atomic>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/migrations.hpp"
#include "store/sqlite/test_store.hpp"

namespace fencepost::store::sqlite {
namespace {

using SqliteStoreTest = StoreTest;

TEST_F(SqliteStoreTest, ReopeningKeepsAllData) {
    TxId tx;
    Fence fence;
    {
        auto first = store();
        tx = accept(*first, 1);
        fence = open(*first);
        ASSERT_EQ(write(*first, allocation(fence, tx, Nonce(0))), WriteAnswer::applied);
        ASSERT_TRUE(run(first->post({{}, alice, CommandKind::cancel, tx, "ops", "why"})));
    }
    auto again = store();
    const auto view = run(again->by_id(tx)).value();
    ASSERT_TRUE(view);
    EXPECT_EQ(view->position, (Position{State::allocated}));
    EXPECT_EQ(view->intent.value, Wei(1));
    EXPECT_EQ(run(again->pending(alice)).value().at(0).reason, "why");
    EXPECT_EQ(run(again->read_after({}, 10)).value().size(), 2U);

    const auto reopened = open(*again);
    EXPECT_EQ(reopened.token, fence.token.next()) << "tokens continue";
    const auto lane = run(again->load(alice)).value();
    EXPECT_EQ(lane.next_nonce, Nonce(1));
    ASSERT_EQ(lane.watched.size(), 1U);
    EXPECT_EQ(lane.watched[0].attempts.at(0).raw, (Bytes{1, 2}));
}

TEST_F(SqliteStoreTest, LeaseExpiresByInjectedClock) {
    auto one = store();
    const auto fence = open(*one);
    const auto tx = accept(*one, 1);
    now_ = now_.load() + 10s - 1us;
    EXPECT_EQ(run(one->open(alice, NodeId("node-2"), 10s)).value().result, LeaseResult::not_owner);
    now_ = now_.load() + 1us;
    EXPECT_EQ(write(*one, allocation(fence, tx, Nonce(0))), WriteAnswer::fenced);
    EXPECT_EQ(run(one->renew({{alice, fence}}, 10s)).value().at(0), LeaseResult::not_owner);
    EXPECT_EQ(run(one->open(alice, NodeId("node-2"), 10s)).value().result, LeaseResult::taken_over);
}

TEST_F(SqliteStoreTest, WritePastHalfOfLeaseRenewsIt) {
    auto one = store();
    const auto fence = open(*one);
    const auto first = accept(*one, 1);
    const auto second = accept(*one, 2);
    const auto opened_at = now_.load();
    now_ = opened_at + 5s;
    ASSERT_EQ(write(*one, allocation(fence, first, Nonce(0))), WriteAnswer::applied);
    EXPECT_EQ(run(one->submitter(alice)).value().lease->expires_at, opened_at + 10s);
    now_ = opened_at + 5s + 1us;
    ASSERT_EQ(write(*one, allocation(fence, second, Nonce(1))), WriteAnswer::applied);
    EXPECT_EQ(run(one->submitter(alice)).value().lease->expires_at, now_.load() + 10s);
}

TEST_F(SqliteStoreTest, ConflictRollsBackItsSubmitter) {
    auto one = store();
    const auto fence = open(*one);
    auto part = allocation(fence, accept(*one, 1), Nonce(0));
    part.status = StatusChange{SubmitterStatus::paused, "in progress"};
    part.transactions.push_back({.tx = TxId{}, .expected = {State::queued}, .to = {State::rejected}});
    EXPECT_EQ(write(*one, part), WriteAnswer::conflict);
    const auto lane = run(one->load(alice)).value();
    EXPECT_EQ(lane.next_nonce, std::nullopt);
    EXPECT_EQ(lane.status.status, SubmitterStatus::active);
    EXPECT_TRUE(lane.watched.empty());
    EXPECT_EQ(run(one->read_after({}, 10)).value().size(), 1U);
}

TEST_F(SqliteStoreTest, InvalidTransitionAborts) {
    auto one = store();
    const auto fence = open(*one);
    const TxUpdate leap{.tx = accept(*one, 1), .expected = {State::queued}, .to = {State::confirmed}};
    EXPECT_DEATH((void)write(*one, {.submitter = alice, .fence = fence, .transactions = {leap}}),
                 "not an allowed transition");
}

TEST_F(SqliteStoreTest, RecoversFromLockedFile) {
    auto one = store();
    const auto fence = open(*one);
    const auto tx = accept(*one, 1);
    auto other = raw();
    {
        const DbTransaction writing(other, DbTransaction::Kind::write);
        const auto answer = run(one->write({allocation(fence, tx, Nonce(0))}));
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error(), StoreError::unavailable);
    }
    EXPECT_EQ(write(*one, allocation(fence, tx, Nonce(0))), WriteAnswer::applied);
}

// Prevents files of this process from growing: writes then fail as on a broken disk.
class BrokenDisk {
public:
    BrokenDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit none{0, limit_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    ~BrokenDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        (void)std::signal(SIGXFSZ, handler_);
    }
    BrokenDisk(const BrokenDisk&) = delete;
    BrokenDisk& operator=(const BrokenDisk&) = delete;

private:
    rlimit limit_{};
    void (*handler_)(int);
};

TEST_F(SqliteStoreTest, DiskErrorAtCommitIsUnknownUntilReread) {
    auto one = store();
    const NewIntent intent{TxId{}, alice, RequestId("r"), {}};
    {
        const BrokenDisk broken;
        const auto answer = run(one->accept({intent}));
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error(), StoreError::unknown_outcome);
    }
    EXPECT_EQ(run(one->accept({intent})).value().at(0).kind, AcceptKind::accepted);
    EXPECT_EQ(run(one->accept({intent})).value().at(0).kind, AcceptKind::same_again);
    EXPECT_EQ(run(one->list({})).value().size(), 1U);
}

TEST_F(SqliteStoreTest, StoresOnOneFileShareOneLease) {
    auto one = store();
    auto two = store();
    const auto stale = open(*one);
    const auto tx = accept(*two, 1);
    now_ = now_.load() + 10s;
    ASSERT_EQ(run(two->open(alice, NodeId("node-2"), 10s)).value().result, LeaseResult::taken_over);
    EXPECT_EQ(write(*one, allocation(stale, tx, Nonce(0))), WriteAnswer::fenced);
}

Task<int> accept_many(Store* store, std::uint8_t shard) {
    int accepted = 0;
    for (std::uint8_t i = 0; i < 50; ++i) {
        Uuid id;
        id.data[14] = shard;
        id.data[15] = i;
        std::vector<NewIntent> batch{{TxId(id), alice, RequestId(fmt::format("r{}", i)), {}}};
        const auto answers = co_await store->accept(std::move(batch));
        if (answers.value().at(0).kind == AcceptKind::accepted) ++accepted;
    }
    co_return accepted;
}

TEST_F(SqliteStoreTest, ShardsShareOneWriterThread) {
    auto one = store(Execution::threaded);
    std::atomic<int> accepted = 0;
    std::vector<std::jthread> shards;
    for (std::uint8_t shard = 0; shard < 4; ++shard) {
        shards.emplace_back([this, &one, &accepted, shard] { accepted += run(accept_many(one.get(), shard)); });
    }
    shards.clear();
    EXPECT_EQ(accepted, 50) << "each request id once";
    const auto fence = open(*one);
    const auto head = run(one->head_of_queue(alice, {}, 1)).value().at(0);
    EXPECT_EQ(write(*one, allocation(fence, head.id, Nonce(0))), WriteAnswer::applied);
    EXPECT_EQ(run(one->head_of_queue(alice, {}, 1000)).value().size(), 49U);
}

TEST_F(SqliteStoreTest, InMemoryStoreIsNotPersistent) {
    auto in_memory = options();
    in_memory.path = ":memory:";
    for (int i = 0; i < 2; ++i) {
        auto one = std::move(SqliteStore::open(in_memory).value());
        (void)accept(*one, 1);
    }
}

TEST_F(SqliteStoreTest, RecordsMigrationsOnce) {
    (void)store();
    (void)store();
    auto database = raw();
    EXPECT_EQ(find_value<std::uint64_t>(database, "SELECT count(*) FROM schema_migration"),
              migrations_of("sqlite").size());
    EXPECT_EQ(find_value<UnixTime>(database, "SELECT applied_at FROM schema_migration"), now_.load());
}

TEST_F(SqliteStoreTest, CountsVerdictsOfOlderSchema) {
    {
        auto one = store();
        const auto tx = accept(*one, 1);
        (void)accept(*one, 2);
        const TxUpdate rejection{.tx = tx, .expected = {State::queued}, .to = {State::rejected}};
        const LaneWrite verdict{.submitter = alice, .fence = open(*one), .transactions = {rejection}};
        EXPECT_EQ(write(*one, verdict), WriteAnswer::applied);
    }
    raw().run_script("DROP TABLE submitter_tally; DELETE FROM schema_migration WHERE name = 'V4__tally.sql'");
    auto later = store();
    EXPECT_EQ(run(later->submitter(alice)).value().counts,
              (std::map<State, std::uint64_t>{{State::queued, 1}, {State::rejected, 1}}));
}

TEST_F(SqliteStoreTest, Failure44WatchesSettledBlocksOfOlderSchema) {
    const Position mined{State::tracking, SubState::mined};
    TxId removed;
    {
        auto one = store();
        const auto fence = open(*one);
        for (std::uint8_t nonce = 0; nonce < 3; ++nonce) {
            removed = accept(*one, nonce + 1);
            ASSERT_EQ(write(*one, allocation(fence, removed, Nonce(nonce))), WriteAnswer::applied);
            const auto step = [&](TxUpdate update) {
                update.tx = removed;
                return write(*one, {.submitter = alice, .fence = fence, .transactions = {std::move(update)}});
            };
            ASSERT_EQ(step({.expected = {State::allocated}, .to = {State::tracking}}), WriteAnswer::applied);
            const Receipt receipt{.hash = hash(nonce + 1), .block_number = BlockNumber(5), .block_hash = {}};
            ASSERT_EQ(step({.expected = {State::tracking}, .to = mined, .receipt = receipt}), WriteAnswer::applied);
            ASSERT_EQ(step({.expected = mined, .to = {State::confirmed}}), WriteAnswer::applied);
            if (nonce < 2) continue;
            const Position forked{State::confirmed, SubState::forked};
            ASSERT_EQ(step({.expected = {State::confirmed}, .to = forked, .receipt = RollBackReceipt{}}),
                      WriteAnswer::applied);
        }
    }
    raw().run_script("DROP TABLE settled_block; DELETE FROM schema_migration WHERE name LIKE '%settled_blocks%'");
    auto later = store();
    const auto state = run(later->load(alice)).value();
    EXPECT_EQ(state.settled, (std::vector{SettledBlock{BlockNumber(5), {}, Nonce(0), Nonce(1)}}));
    ASSERT_EQ(state.watched.size(), 1U);
    EXPECT_EQ(state.watched[0].id, removed);
}

TEST_F(SqliteStoreTest, RejectsNewerOrChangedSchema) {
    (void)store();
    raw().run("INSERT INTO schema_migration VALUES (99, 'V99__later.sql', '', 0)");
    EXPECT_THAT(refusal(), testing::HasSubstr("schema version 99"));
    raw().run("DELETE FROM schema_migration WHERE version = 99");
    raw().run("UPDATE schema_migration SET checksum = 'other'");
    EXPECT_THAT(refusal(), testing::HasSubstr("V1__init.sql"));
}

TEST_F(SqliteStoreTest, LeavesDatabaseOfOtherProgramUnchanged) {
    raw().run_script("CREATE TABLE node (id INTEGER)");
    EXPECT_THAT(refusal(), testing::HasSubstr("another program"));
    auto database = raw();
    EXPECT_EQ(find_value<int>(database, "SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_F(SqliteStoreTest, ExplainsOpenFailureInOneSentence) {
    auto nowhere = options();
    nowhere.path = file_.folder() + "/no/such/folder/x.db";
    EXPECT_THAT(SqliteStore::open(nowhere).error(), testing::HasSubstr("check that its folder exists"));
    nowhere.path = file_.folder();
    EXPECT_THAT(SqliteStore::open(nowhere).error(), testing::HasSubstr("cannot be opened"));

    std::ofstream(file_.path()) << "this is plain text and not a database";
    EXPECT_THAT(refusal(), testing::HasSubstr("is not a SQLite database"));
}

TEST_F(SqliteStoreTest, ReportsFileInUse) {
    auto other = raw();
    const DbTransaction writing(other, DbTransaction::Kind::write);
    EXPECT_THAT(refusal(), testing::HasSubstr("locked by another process"));
}

}  // namespace
}  // namespace fencepost::store::sqlite
