// How endpoint answers become a mempool view, tested as data.
#include "evm/endpoints/mempool_view.hpp"

#include <gtest/gtest.h>

#include "evm/endpoints/test_nodes.hpp"

namespace fencepost::evm {
namespace {

using Seen = PoolReading::Seen;

class MempoolViews : public testing::Test {
protected:
    static constexpr auto held = Presence::held;
    static constexpr auto absent = Presence::absent;
    static constexpr auto unknown = Presence::unknown;

    // Nonces 5 … 9, one attempt each.
    static std::vector<PoolQuery> five() {
        std::vector<PoolQuery> questions;
        for (std::uint8_t nonce = 5; nonce < 10; ++nonce)
            questions.push_back({Nonce(nonce), {TxHash{{nonce}}}});
        return questions;
    }
    static PoolReading reading(std::uint64_t latest, std::uint64_t pending, std::vector<Seen> seen,
                               std::uint64_t head = 100) {
        return {Nonce(latest), Nonce(pending), BlockNumber(head), std::move(seen)};
    }
    // First the lowest transaction, then each that is still open.
    std::vector<Presence> look(const PoolReading& first, std::optional<PoolReading> second = {}) {
        PoolPresence evidence(five(), capabilities_, BlockNumber(100));
        EXPECT_TRUE(evidence.take_first(first));
        const auto open = evidence.open();
        asked_ = open.size();
        if (second && !open.empty()) {
            second->seen.resize(open.size());
            evidence.take_second(*second, open);
        }
        return evidence.view("a").presence;
    }

    using All = std::vector<Presence>;
    MempoolCapabilities capabilities_{};
    std::size_t asked_ = 0;
};

TEST_F(MempoolViews, CountedTransactionsAreHeld) {
    EXPECT_EQ(look(reading(5, 10, {Seen::waiting})), (All{held, held, held, held, held}));
    EXPECT_EQ(asked_, 0U) << "the counts are enough";
    EXPECT_TRUE(capabilities_.returns_pending_by_hash);
    EXPECT_TRUE(capabilities_.counts);
}

TEST_F(MempoolViews, MinedTransactionsAreHeld) {
    EXPECT_EQ(look(reading(7, 7, {Seen::mined}), reading(7, 7, {Seen::mined, Seen::nothing, Seen::nothing})),
              (All{held, held, held, unknown, unknown}));
}

TEST_F(MempoolViews, NoAbsenceFromEndpointThatNeverReturnedAPendingOne) {
    EXPECT_EQ(look(reading(5, 5, {Seen::nothing})), All(5, unknown));
    EXPECT_EQ(asked_, 0U) << "and a query by hash is pointless";
    EXPECT_EQ(look(reading(5, 5, {Seen::unclear})), All(5, unknown));
    EXPECT_EQ(asked_, 0U);
}

TEST_F(MempoolViews, AbsentWhenNeitherCountedNorKnownByHash) {
    look(reading(5, 10, {Seen::waiting}));
    EXPECT_EQ(look(reading(5, 5, {Seen::nothing}), reading(5, 5, {})), All(5, absent));
    EXPECT_EQ(look(reading(5, 8, {Seen::waiting}), reading(5, 8, {})), (All{held, held, held, absent, absent}));
    EXPECT_EQ(asked_, 2U) << "only what the counts leave open";
}

TEST_F(MempoolViews, TransactionMinedBetweenReadingsIsHeld) {
    look(reading(5, 10, {Seen::waiting}));
    EXPECT_EQ(look(reading(5, 7, {Seen::waiting}), reading(9, 9, {})), (All{held, held, held, held, absent}));
}

TEST_F(MempoolViews, InvalidAnswerProvesNothing) {
    look(reading(5, 10, {Seen::waiting}));
    EXPECT_EQ(look(reading(5, 8, {Seen::waiting}), reading(5, 8, {Seen::unclear, Seen::nothing})),
              (All{held, held, held, unknown, absent}));
    EXPECT_EQ(look(reading(5, 8, {Seen::waiting})), (All{held, held, held, unknown, unknown})) << "no second answer";
}

TEST_F(MempoolViews, Failure41OlderSecondReadingProvesNoAbsence) {
    look(reading(5, 10, {Seen::waiting}));
    EXPECT_EQ(look(reading(5, 5, {Seen::nothing}, 101), reading(5, 5, {}, 100)), All(5, unknown)) << "a lower head";
    EXPECT_EQ(look(reading(6, 6, {Seen::mined}), reading(5, 5, {})), (All{held, unknown, unknown, unknown, unknown}))
        << "a smaller count";
}

TEST_F(MempoolViews, EndpointBehindReportedHeadHasNoView) {
    PoolPresence evidence(five(), capabilities_, BlockNumber(101));
    EXPECT_FALSE(evidence.take_first(reading(5, 10, {Seen::waiting})));
    EXPECT_FALSE(capabilities_.returns_pending_by_hash);
}

TEST_F(MempoolViews, DistrustsCountBeyondMissingTransaction) {
    look(reading(5, 10, {Seen::waiting}));
    EXPECT_EQ(look(reading(5, 10, {Seen::nothing}),
                   reading(5, 10, {Seen::nothing, Seen::waiting, Seen::waiting, Seen::waiting, Seen::waiting})),
              (All{absent, held, held, held, held}))
        << "Erigon counts gapped ones";
}

TEST_F(MempoolViews, KnownButUncountedIsNeitherHeldNorAbsent) {
    look(reading(5, 10, {Seen::waiting}));
    EXPECT_EQ(look(reading(5, 8, {Seen::waiting}), reading(5, 8, {Seen::waiting, Seen::waiting})),
              (All{held, held, held, unknown, unknown}));
    capabilities_ = {};
    EXPECT_EQ(look(reading(5, 5, {Seen::waiting}), reading(5, 5, std::vector(5, Seen::waiting))), All(5, held))
        << "where nothing is ever counted the hash is all there is";
}

TEST(PoolRequests, ReadsCountsAndHeadAfterHashes) {
    const std::vector<PoolQuery> questions{{Nonce(5), {TxHash{{1}}, TxHash{{2}}}}};
    std::vector<std::string> methods;
    for (const auto& request : pool_requests(Address{}, questions))
        methods.push_back(request.method);
    EXPECT_EQ(methods,
              (std::vector<std::string>{"eth_getTransactionByHash", "eth_getTransactionByHash",
                                        "eth_getTransactionCount", "eth_getTransactionCount", "eth_blockNumber"}));
}

TEST(PoolRequests, LimitsQuestionsToOneRequest) {
    const std::vector<PoolQuery> questions(100, {Nonce(5), {TxHash{{1}}, TxHash{{2}}}});
    EXPECT_EQ(limit_to_batch(questions, 1'000).size(), 64U);
    EXPECT_EQ(limit_to_batch(questions, 100).size(), 48U) << "97 hashes fit, two each";
    EXPECT_EQ(limit_to_batch(questions, 4).size(), 0U);
    EXPECT_EQ(limit_to_batch(questions, 1).size(), 0U);
}

TEST(PoolReadings, CoverAllAttempts) {
    const TxHash one{{1}};
    const TxHash two{{2}};
    const auto waiting = [](const TxHash& hash) -> Answer {
        return Json{{"hash", write_data(hash.view())},
                    {"from", Address{}.to_lower()},
                    {"nonce", "0x5"},
                    {"blockHash", nullptr},
                    {"blockNumber", nullptr}};
    };
    const std::vector<PoolQuery> questions{{Nonce(5), {one, two}}};
    const auto seen = [&](const Answer& first, const Answer& second) {
        return read_pool({first, second, Json("0x5"), Json("0x6"), Json("0x64")}, questions).value().seen.at(0);
    };
    const Answer nothing = Json(nullptr);
    const Answer error = test::refusing(-32000, "no");
    EXPECT_EQ(seen(nothing, waiting(two)), Seen::waiting);
    EXPECT_EQ(seen(waiting(one), error), Seen::waiting);
    EXPECT_EQ(seen(nothing, nothing), Seen::nothing);
    EXPECT_EQ(seen(nothing, error), Seen::unclear);
    EXPECT_EQ(seen(nothing, waiting(one)), Seen::unclear) << "another transaction's";
    EXPECT_FALSE(read_pool({nothing, nothing, error, Json("0x6"), Json("0x64")}, questions).has_value());
    EXPECT_FALSE(read_pool({nothing, nothing, Json("0x5"), Json("0x6"), error}, questions).has_value());
    EXPECT_EQ(read_pool({Json("0x5"), Json("0x6"), Json("0x64")}, {{Nonce(5), {}}}).value().seen.at(0), Seen::unclear);
}

}  // namespace
}  // namespace fencepost::evm
