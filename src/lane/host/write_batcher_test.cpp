#include "lane/host/write_batcher.hpp"

#include <stdexcept>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "lane/test_clock.hpp"

namespace fencepost::lane {
namespace {

using test::ManualClock;
using ::testing::ElementsAre;

class RecordedMetrics final : public Telemetry {
public:
    void count(Counter /*counter*/, std::string_view /*label*/, std::uint64_t /*by*/) override {}
    void observe(Latency latency, Duration took) override {
        if (latency == Latency::database_write) times.push_back(took);
    }
    void measure(Size size, std::uint64_t count) override {
        if (size == Size::lane_batch) sizes.push_back(count);
    }
    std::vector<Duration> times;
    std::vector<std::uint64_t> sizes;
};

// Commits when the test says so.
class SlowStore final : public LaneStore {
public:
    explicit SlowStore(const Executor& executor) : done_(executor) {}

    Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) override {
        batches.push_back(batch.size());
        co_await done_.wait();
        if (throws) throw std::runtime_error("an injected error");
        if (aborts) throw boost::system::system_error(asio::error::operation_aborted);
        if (fails) co_return err(StoreError::unknown_outcome);
        std::vector<WriteAnswer> answers;
        for (const auto& write : batch)
            answers.push_back(write.watch_from ? WriteAnswer::conflict : WriteAnswer::applied);
        co_return answers;
    }
    Task<Result<LaneState, StoreError>> load(SubmitterId) override { co_return LaneState{}; }
    Task<Result<LaneState, StoreError>> load_block(SubmitterId, SettledBlock) override { co_return LaneState{}; }
    Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId, AcceptSequence,
                                                                      std::size_t) override {
        co_return std::vector<QueuedIntent>{};
    }
    Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId, Duration) override {
        co_return std::vector<RecentAllocation>{};
    }
    void finish_commit() { done_.notify(); }

    std::vector<std::size_t> batches;
    bool fails = false;
    bool throws = false;
    bool aborts = false;

private:
    Wakeup done_;
};

class WriteBatcherTest : public ::testing::Test {
protected:
    WriteBatcherTest() { group_.spawn(batcher_.run()); }
    ~WriteBatcherTest() override {
        group_.cancel();
        run();
    }
    void run() {
        context_.restart();
        context_.poll();
    }
    void add(bool conflicting = false) {
        LaneWrite write{.submitter = SubmitterId::evm(1, Address{}), .fence = {NodeId("a"), FenceToken(1)}};
        if (conflicting) write.watch_from = Nonce(1);
        group_.spawn(keep_answer(std::move(write)));
        run();
    }
    void finish_commit() {
        store_.finish_commit();
        run();
    }
    Task<void> keep_answer(LaneWrite write) {
        const auto answer = co_await batcher_.write(std::move(write));
        answers_.push_back(answer ? std::string(name_of(*answer)) : std::string(name_of(answer.error())));
    }

    asio::io_context context_;
    SlowStore store_{context_.get_executor()};
    ManualClock clock_;
    RecordedMetrics telemetry_;
    NoLog log_;
    WriteBatcher batcher_{context_.get_executor(), store_, clock_, telemetry_, log_, 3};
    TaskGroup group_{context_.get_executor()};
    std::vector<std::string> answers_;
};

TEST_F(WriteBatcherTest, SingleWriteStartsAtOnce) {
    add();
    EXPECT_THAT(store_.batches, ElementsAre(1U));
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("applied"));
}

TEST_F(WriteBatcherTest, CollectsWritesDuringACommitIntoOneBatch) {
    add();
    add();
    add();
    EXPECT_THAT(store_.batches, ElementsAre(1U)) << "one commit at a time";
    finish_commit();
    EXPECT_THAT(store_.batches, ElementsAre(1U, 2U));
    EXPECT_EQ(answers_.size(), 1U) << "no answer before the commit";
    finish_commit();
    EXPECT_EQ(answers_.size(), 3U);
}

TEST_F(WriteBatcherTest, BatchSizeIsLimited) {
    for (int i = 0; i < 6; ++i)
        add();
    finish_commit();
    finish_commit();
    finish_commit();
    EXPECT_THAT(store_.batches, ElementsAre(1U, 3U, 2U));
    EXPECT_EQ(answers_.size(), 6U);
}

TEST_F(WriteBatcherTest, EachWriteGetsItsOwnAnswer) {
    add();
    add(true);
    add();
    finish_commit();
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("applied", "conflict", "applied"));
}

TEST_F(WriteBatcherTest, FailedBatchFailsAllItsWritesAndTheNextRuns) {
    add();
    add();
    store_.fails = true;
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("unknown_outcome"));
    store_.fails = false;
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("unknown_outcome", "applied"));
}

TEST_F(WriteBatcherTest, ThrowingStoreMeansUnknownOutcomeAndTheNextRuns) {
    add();
    add();
    store_.throws = true;
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("unknown_outcome"));
    store_.throws = false;
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("unknown_outcome", "applied"));
}

TEST_F(WriteBatcherTest, UnrequestedAbortIsAnErrorAndNoCancellation) {
    add();
    add();
    store_.aborts = true;
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("unknown_outcome"));
    store_.aborts = false;
    finish_commit();
    EXPECT_THAT(answers_, ElementsAre("unknown_outcome", "applied")) << "the batcher goes on";
}

TEST_F(WriteBatcherTest, MeasuresAndTimesEachCommit) {
    add();
    add();
    add();
    clock_.now += std::chrono::milliseconds(7);
    finish_commit();
    clock_.now += std::chrono::milliseconds(9);
    finish_commit();
    EXPECT_THAT(telemetry_.sizes, ElementsAre(1U, 2U));
    EXPECT_THAT(telemetry_.times, ElementsAre(std::chrono::milliseconds(7), std::chrono::milliseconds(9)));
}

}  // namespace
}  // namespace fencepost::lane
