// A full disk: a write that does not fit is not applied at all, the store reports it, and works again when there is
// space.
#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class FullDisk : public RaceTest {
protected:
    [[nodiscard]] std::vector<NewIntent> intents(std::size_t n) {
        std::vector<NewIntent> batch;
        batch.reserve(n);
        for (std::size_t i = 0; i < n; ++i)
            batch.push_back(intent(submitter_, "r" + std::to_string(asked_++)));
        return batch;
    }

    void expect_whole(std::size_t accepted) {
        for (const auto* table : {"managed_tx", "tx_intent", "tx_event"})
            EXPECT_EQ(value(std::string("SELECT count(*) FROM ") + table), std::to_string(accepted)) << table;
    }

    // Free space in open pages may still be used.
    Task<std::size_t> accept_until_full() {
        static constexpr std::size_t batch = 50;
        std::size_t accepted = 0;
        for (int i = 0; i < 100; ++i) {
            const auto answer = co_await store().accept(intents(batch));
            if (!answer) {
                EXPECT_EQ(answer.error(), StoreError::unavailable) << "it is known that nothing was written";
                co_return accepted;
            }
            accepted += batch;
        }
        ADD_FAILURE() << "the disk was never full";
        co_return accepted;
    }

    Task<void> accept_and_write() {
        auto& cluster = database().cluster();
        cluster.move_to_small_disk(database().name());
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        cluster.fill_small_disk(database().name());
        const auto count = 1 + co_await accept_until_full();
        expect_whole(count);

        auto large = allocation(fence, tx, 0);
        large.transactions[0].attempts[0].raw = Bytes(1'000'000, 7);
        EXPECT_EQ((co_await store().write(one(large))).error(), StoreError::unavailable);
        EXPECT_EQ((co_await view(tx)).position, queued);
        EXPECT_EQ(value("SELECT count(*) FROM nonce_assignment") + value("SELECT count(*) FROM tx_attempt") +
                      value("SELECT count(*) FROM submitter_nonce_cursor"),
                  "000");

        cluster.run(database().name(), "DROP TABLE filler");
        EXPECT_EQ(co_await write(&store(), large), WriteAnswer::applied);
        EXPECT_TRUE((co_await store().accept(intents(1))).has_value());
        expect_whole(count + 1);
    }

private:
    std::size_t asked_ = 0;
};

INSTANTIATE_TEST_SUITE_P(, FullDisk, testing::Values(small_disk_postgres()), [](const auto&) { return "postgres"; });

TEST_P(FullDisk, RecoversFromFullDiskWithoutPartialWrites) { run(accept_and_write()); }

}  // namespace
}  // namespace fencepost::race
