// Batches: one commit for many intents or many submitters, and the resulting throughput.
#include <algorithm>

#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class Batches : public RaceTest {
protected:
    [[nodiscard]] std::vector<NewIntent> intents(std::size_t n) {
        std::vector<NewIntent> batch;
        batch.reserve(n);
        for (std::size_t i = 0; i < n; ++i)
            batch.push_back(intent(submitter_, fmt::format("r{}", asked_++)));
        return batch;
    }

    // Every row carries the id of the database transaction that wrote it.
    std::string commits_of(const std::string& table) {
        return value(fmt::format("SELECT count(*) || ' in ' || count(DISTINCT xmin::text) FROM {}", table));
    }

    Task<void> thousand_accepts() {
        EXPECT_EQ((co_await store().accept(intents(1'000))).value().size(), 1'000U);
        for (const auto* table : {"managed_tx", "tx_intent", "tx_event"})
            EXPECT_EQ(commits_of(table), "1000 in 1") << table;
    }

    Task<void> twenty_submitters() {
        const auto writes = co_await lanes(20);
        for (const auto answer : (co_await store().write(writes)).value())
            EXPECT_EQ(answer, WriteAnswer::applied);
        for (const auto* table : {"managed_tx", "nonce_assignment", "tx_attempt", "submitter_nonce_cursor"})
            EXPECT_EQ(commits_of(table), "20 in 1") << table;
    }

    // One submitter's rows are unexpected: the others must not fall back to one commit each.
    Task<void> nineteen_of_twenty() {
        auto writes = co_await lanes(20);
        writes[7].transactions[0].expected = allocated_position;
        writes[7].transactions[0].to = tracking;
        const auto answers = (co_await store().write(writes)).value();
        for (std::size_t i = 0; i < answers.size(); ++i)
            EXPECT_EQ(answers[i], i == 7 ? WriteAnswer::conflict : WriteAnswer::applied) << i;
        EXPECT_EQ(commits_of("nonce_assignment"), "19 in 1");
        EXPECT_EQ(value("SELECT count(*) FROM managed_tx WHERE nonce IS NOT NULL"), "19");
    }

    // Each batch must be split, on all connections at once: none may hold its connection while waiting for another.
    Task<void> contradictions_on_all_connections() {
        const auto writes = co_await lanes(20);
        TaskGroup group(executor());
        std::vector<Answered<WriteResult>> answers(writes.size() / 2);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            session().run(fmt::format("INSERT INTO nonce_assignment VALUES ('{}', 0, gen_random_uuid())",
                                      writes[2 * i].submitter.to_string()));
        }
        for (std::size_t i = 0; i < answers.size(); ++i) {
            auto batch = one(writes[2 * i]);
            batch.push_back(writes[2 * i + 1]);
            group.spawn(keep(store().write(std::move(batch)), &answers[i]));
        }
        co_await group.join();
        for (const auto& answer : answers)
            EXPECT_EQ(answer->value(), (std::vector{WriteAnswer::conflict, WriteAnswer::applied}));
    }

    double per_second(std::size_t n, Duration time) {
        return static_cast<double>(n) / std::chrono::duration<double>(time).count();
    }

    Task<void> batched_against_unbatched() {
        static constexpr std::size_t alone = 100;
        static constexpr std::size_t together = 2'000;
        EXPECT_TRUE((co_await store().accept(intents(1))).has_value());  // connects and prepares
        // The best of three runs each: other load on the machine only adds time.
        double unbatched = 0;
        double batched = 0;
        for (int round = 0; round < 3; ++round) {
            const Stopwatch one_by_one;
            for (std::size_t i = 0; i < alone; ++i)
                EXPECT_TRUE((co_await store().accept(intents(1))).has_value());
            unbatched = std::max(unbatched, per_second(alone, one_by_one.elapsed()));
            const Stopwatch at_once;
            EXPECT_TRUE((co_await store().accept(intents(together))).has_value());
            batched = std::max(batched, per_second(together, at_once.elapsed()));
        }
        fmt::print("accepted per second: {:.0f} one by one, {:.0f} in a batch\n", unbatched, batched);
        EXPECT_GE(batched, 3 * unbatched);
    }

private:
    std::size_t asked_ = 0;
};
class DurableBatches : public Batches {};

INSTANTIATE_TEST_SUITE_P(, Batches, testing::Values(postgres()), [](const auto&) { return "postgres"; });
INSTANTIATE_TEST_SUITE_P(, DurableBatches, testing::Values(restartable_postgres()),
                         [](const auto&) { return "postgres"; });

TEST_P(Batches, CommitsThousandIntentsAtOnce) { run(thousand_accepts()); }
TEST_P(Batches, CommitsTwentySubmittersAtOnce) { run(twenty_submitters()); }
TEST_P(Batches, ConflictOfOneKeepsOthersInOneCommit) { run(nineteen_of_twenty()); }
TEST_P(Batches, LedgerViolationsOnAllConnectionsComplete) { run(contradictions_on_all_connections()); }
TEST_P(DurableBatches, AcceptFasterThanIndividually) { run(batched_against_unbatched()); }

}  // namespace
}  // namespace fencepost::race
