#include "lane/track/chain_watch.hpp"

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "lane/test_chain.hpp"

namespace fencepost::lane {
namespace {

using fencepost::test::branch;
using test::head_event;
using test::tx_hash;
using ::testing::ElementsAre;

class RecordedHeaders final : public Headers {
public:
    Task<Status<StoreError>> record(ChainRef, std::vector<BlockRef> blocks) override {
        recorded.insert(recorded.end(), blocks.begin(), blocks.end());
        if (fails) co_return err(StoreError::unavailable);
        co_return Status<StoreError>{};
    }
    Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef, BlockNumber, BlockNumber) override {
        co_return std::vector<BlockRef>{};
    }
    Task<Status<StoreError>> prune_below(ChainRef, BlockNumber) override { co_return Status<StoreError>{}; }

    std::vector<BlockRef> recorded;
    bool fails = false;
};

class CountingLog final : public Log {
public:
    void write(Severity, std::string_view, std::initializer_list<LogField>) override { ++lines; }
    int lines = 0;
};

// Sleeps return at once, and are counted.
class CountingClock final : public Clock {
public:
    [[nodiscard]] Instant monotonic() const override { return {}; }
    [[nodiscard]] UnixTime unix_now() const override { return {}; }
    Task<void> sleep_until(Instant) override {
        ++pauses;
        co_return;
    }
    Task<void> wait_until(Wakeup*, Instant deadline) override { return sleep_until(deadline); }
    int pauses = 0;
};

struct Listener final : ChainListener {
    void on_head(const HeadChange& /*change*/) override { ++heads; }
    void on_receipt(const Receipt& receipt) override { receipts.push_back(receipt.hash); }
    void on_receipt_missed(const TxHash& hash) override { missed.push_back(hash); }

    int heads = 0;
    std::vector<TxHash> receipts;
    std::vector<TxHash> missed;
};

class ChainWatchTest : public ::testing::Test {
protected:
    ChainWatchTest() {
        watch_.listen(one_);
        watch_.listen(two_);
        group_.spawn(watch_.run());
    }
    ~ChainWatchTest() override {
        group_.cancel();
        run();
    }
    void run() {
        context_.restart();
        context_.poll();
    }
    void tell(HeadEvent event) {
        chain_.tell(std::move(event));
        run();
    }

    asio::io_context context_;
    test::ScriptedChain chain_{context_.get_executor()};
    RecordedHeaders headers_;
    CountingClock clock_;
    NoTelemetry telemetry_;
    CountingLog log_;
    ChainWatch watch_{context_.get_executor(), chain_, headers_, clock_, telemetry_, log_, 4};
    Listener one_;
    Listener two_;
    TaskGroup group_{context_.get_executor()};
};

TEST_F(ChainWatchTest, FetchesReceiptsOncePerBlockForAllListeners) {
    watch_.expect(tx_hash(1), one_);
    watch_.expect(tx_hash(2), two_);
    tell(head_event(branch(1, 1, 'a', 'a'), std::nullopt, {tx_hash(9), tx_hash(2), tx_hash(1)}));
    ASSERT_EQ(chain_.asked.size(), 1U);
    EXPECT_THAT(chain_.asked[0].second, ElementsAre(tx_hash(2), tx_hash(1)));
    EXPECT_THAT(one_.receipts, ElementsAre(tx_hash(1)));
    EXPECT_THAT(two_.receipts, ElementsAre(tx_hash(2)));
    EXPECT_EQ(one_.heads, 1);
    EXPECT_EQ(headers_.recorded.size(), 1U);
}

TEST_F(ChainWatchTest, BlockWithoutExpectedHashesCostsNoCall) {
    watch_.expect(tx_hash(1), one_);
    watch_.forget(tx_hash(1));
    tell(head_event(branch(1, 1, 'a', 'a'), std::nullopt, {tx_hash(1)}));
    EXPECT_TRUE(chain_.asked.empty());
}

TEST_F(ChainWatchTest, FailedCallIsReportedAsMissed) {
    watch_.expect(tx_hash(1), one_);
    chain_.fail_receipts(true);
    tell(head_event(branch(1, 1, 'a', 'a'), std::nullopt, {tx_hash(1)}));
    EXPECT_TRUE(one_.receipts.empty());
    EXPECT_THAT(one_.missed, ElementsAre(tx_hash(1)));
}

// Each block holds the transaction of its own number.
HeadEvent next_block(const ChainWatch& watch, std::uint8_t number) {
    const auto* head = watch.view().head();
    return head_event(branch(number, number, 'a', 'a'), head == nullptr ? std::nullopt : std::optional(*head),
                      {tx_hash(number)});
}

TEST_F(ChainWatchTest, SlowReceiptsDelayNoOtherBlock) {
    watch_.expect(tx_hash(1), one_);
    watch_.expect(tx_hash(2), two_);
    auto& first = chain_.hold_back(BlockNumber(1));
    tell(next_block(watch_, 1));
    tell(next_block(watch_, 2));
    EXPECT_EQ(one_.heads, 2);
    EXPECT_EQ(watch_.view().head()->number, BlockNumber(2));
    EXPECT_THAT(two_.receipts, ElementsAre(tx_hash(2)));
    EXPECT_EQ(headers_.recorded.size(), 2U);
    EXPECT_TRUE(one_.receipts.empty());
    first.notify();
    run();
    EXPECT_THAT(one_.receipts, ElementsAre(tx_hash(1)));
}

TEST_F(ChainWatchTest, HeadsWaitWhenTooManyBlocksAreInProgress) {
    for (std::uint8_t number = 1; number <= 10; ++number) {
        watch_.expect(tx_hash(number), one_);
        chain_.hold_back(BlockNumber(number));
    }
    for (std::uint8_t number = 1; number <= 8; ++number)
        tell(next_block(watch_, number));
    EXPECT_EQ(one_.heads, 8);
    tell(next_block(watch_, 9));
    tell(head_event(branch(10, 10, 'a', 'a'), branch(9, 9, 'a', 'a').front(), {tx_hash(10)}));
    EXPECT_LE(chain_.asked.size(), 8U);
    EXPECT_LE(one_.heads, 9);
    for (std::uint8_t number = 1; number <= 10; ++number) {
        chain_.hold_back(BlockNumber(number)).notify();
        run();
    }
    EXPECT_EQ(one_.heads, 10);
    EXPECT_EQ(one_.receipts.size(), 10U) << "none is lost";
}

TEST_F(ChainWatchTest, DropsReceiptsOfRemovedBlocks) {
    watch_.expect(tx_hash(1), one_);
    auto& late = chain_.hold_back(BlockNumber(2));
    const auto base = branch(1, 1, 'a', 'a');
    tell(head_event(base, std::nullopt));
    tell(head_event(branch(2, 2, 'a', 'a'), base.back(), {tx_hash(1)}));
    tell(head_event(branch(2, 3, 'b', 'a'), base.back()));
    late.notify();
    run();
    EXPECT_TRUE(one_.receipts.empty());
    EXPECT_TRUE(one_.missed.empty());
}

TEST_F(ChainWatchTest, ThrowingCallIsReportedAsMissed) {
    watch_.expect(tx_hash(1), one_);
    watch_.expect(tx_hash(2), one_);
    chain_.throw_at(BlockNumber(1));
    tell(next_block(watch_, 1));
    tell(next_block(watch_, 2));
    EXPECT_THAT(one_.missed, ElementsAre(tx_hash(1)));
    EXPECT_THAT(one_.receipts, ElementsAre(tx_hash(2)));
    EXPECT_EQ(log_.lines, 1);
}

TEST_F(ChainWatchTest, ThrowingStreamIsRestartedAfterAPause) {
    const auto mistake = std::make_exception_ptr(std::runtime_error("an injected error"));
    const auto stray = std::make_exception_ptr(boost::system::system_error(asio::error::operation_aborted));
    int mistakes = 0;
    for (const auto& error : {mistake, stray}) {
        tell(head_event(branch(1, 1, 'a', 'a'), std::nullopt));
        chain_.throw_at_next_head(error);
        run();
        ++mistakes;
        EXPECT_EQ(clock_.pauses, mistakes);
        EXPECT_EQ(log_.lines, mistakes);
        EXPECT_EQ(chain_.streams, 1U + static_cast<std::size_t>(mistakes));
        EXPECT_TRUE(watch_.view().empty());
        tell(head_event(branch(1, 2, 'a', 'a'), std::nullopt));
        EXPECT_EQ(watch_.view().head()->number, BlockNumber(2));
    }
}

TEST_F(ChainWatchTest, RemovedListenerReceivesNothing) {
    watch_.expect(tx_hash(1), one_);
    watch_.ignore(one_);
    tell(head_event(branch(1, 1, 'a', 'a'), std::nullopt, {tx_hash(1)}));
    EXPECT_EQ(one_.heads, 0);
    EXPECT_TRUE(one_.receipts.empty());
    EXPECT_EQ(two_.heads, 1);
}

TEST_F(ChainWatchTest, UnlinkedBranchRestartsTheWatch) {
    const auto first = branch(1, 3, 'a', 'a');
    tell(head_event(first, std::nullopt));
    tell(head_event(branch(9, 9, 'b', 'b'), first.back()));
    EXPECT_EQ(chain_.streams, 2U);
    EXPECT_TRUE(watch_.view().empty());
    EXPECT_EQ(log_.lines, 1);
    tell(head_event(branch(5, 9, 'b', 'b'), std::nullopt));
    EXPECT_EQ(watch_.view().head()->number, BlockNumber(9));
}

TEST_F(ChainWatchTest, FinalityNeverDecreasesAndFinalBlocksStayForOneEvent) {
    auto event = head_event(branch(1, 20, 'a', 'a'), std::nullopt);
    event.finalized = BlockNumber(15);
    event.safe = BlockNumber(17);
    tell(event);
    EXPECT_EQ(watch_.view().oldest()->number, BlockNumber(1)) << "the lanes have not read it yet";
    auto next = head_event(branch(21, 21, 'a', 'a'), *watch_.view().head());
    next.finalized = BlockNumber(10);
    tell(next);
    EXPECT_EQ(watch_.finalized(), BlockNumber(15));
    EXPECT_EQ(watch_.safe(), BlockNumber(17));
    EXPECT_EQ(watch_.view().oldest()->number, BlockNumber(15)) << "all blocks above finality, four below";
}

TEST_F(ChainWatchTest, ReorgedBlocksAreNotSafe) {
    const auto first = branch(1, 20, 'a', 'a');
    auto event = head_event(first, std::nullopt);
    event.safe = BlockNumber(17);
    tell(event);
    auto deep = head_event(branch(16, 19, 'b', 'a'), first[14]);
    deep.safe = BlockNumber(12);
    tell(deep);
    EXPECT_EQ(watch_.view().head()->number, BlockNumber(19));
    EXPECT_EQ(watch_.safe(), BlockNumber(15)) << "what is below the fork still is";
}

TEST_F(ChainWatchTest, UnrecordedHeaderStopsNothing) {
    headers_.fails = true;
    const auto first = branch(1, 1, 'a', 'a');
    tell(head_event(first, std::nullopt));
    tell(head_event(branch(2, 2, 'a', 'a'), first.back()));
    EXPECT_EQ(watch_.view().head()->number, BlockNumber(2));
    EXPECT_EQ(log_.lines, 2);
}

}  // namespace
}  // namespace fencepost::lane
