// The cost of a reservation in relaxed mode does not grow with the number of used nonces, because the exclusive writer
// runs it.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/relaxed_statements.hpp"
#include "store/sqlite/test_store.hpp"

namespace fencepost::store::sqlite {
namespace {

class SqliteRelaxedPlan : public StoreTest {
protected:
    template <typename... Values>
    std::string plan_of(std::string_view statement, const Values&... values) {
        const auto sql = "EXPLAIN QUERY PLAN " + std::string(statement);
        auto database = raw();
        Query rows(database, sql, values...);
        std::string plan;
        while (rows.step())
            plan += std::string(rows.text(3)) + "\n";
        return plan;
    }
};

TEST_F(SqliteRelaxedPlan, Failure43PlansUseTheIndexOfLiveNonces) {
    (void)store();
    const FenceToken token(2);
    for (const auto& plan : {plan_of(statement::recycle_overdue, token, now_.load(), alice, lane_owner),
                             plan_of(statement::retire_consumed, token, now_.load(), alice, Nonce(7)),
                             plan_of(statement::smallest_recyclable, alice, Nonce(5)),
                             plan_of(statement::find_lowest_recyclable, alice, Nonce(5), now_.load(), lane_owner)}) {
        EXPECT_THAT(plan, testing::HasSubstr("SEARCH submitter_nonce_allocation USING INDEX "
                                             "submitter_nonce_allocation_live (submitter=?"));
        EXPECT_THAT(plan, testing::Not(testing::HasSubstr("SCAN submitter_nonce_allocation")));
        EXPECT_THAT(plan, testing::Not(testing::HasSubstr("TEMP B-TREE"))) << "without a sort";
    }
}

TEST_F(SqliteRelaxedPlan, Failure43FindsRetiredNoncesByPrimaryKey) {
    (void)store();
    EXPECT_THAT(plan_of(statement::delete_retired, alice, Nonce(0), Nonce(9), std::uint64_t{10}),
                testing::HasSubstr("USING PRIMARY KEY (submitter=? AND nonce>? AND nonce<?)"));
    EXPECT_THAT(plan_of(statement::read_record, alice),
                testing::HasSubstr("SEARCH a USING PRIMARY KEY (submitter=? AND nonce>?)"));
}

// A file from before used nonces were deleted.
TEST_F(SqliteRelaxedPlan, DeletesUsedNoncesOfOlderSchema) {
    (void)store();
    raw().run_script(R"sql(
DROP INDEX submitter_nonce_allocation_live;
ALTER TABLE submitter_nonce_state DROP COLUMN retired_below;
DELETE FROM schema_migration WHERE name = 'V6__live_nonce_allocations.sql';
INSERT INTO submitter_nonce_cursor (submitter, next_nonce, watch_from, fencing_token, updated_at)
VALUES ('a', 9, 3, 1, 0);
INSERT INTO submitter_nonce_state (submitter, next_local_nonce, last_chain_nonce, fencing_token, updated_at)
VALUES ('a', 9, 9, 1, 0), ('b', 9, 9, 1, 0);
INSERT INTO submitter_nonce_allocation
    (submitter, nonce, status, lock_owner, locked_until, fencing_token, created_at, updated_at)
VALUES ('a', 0, 'USED', 'lane', 0, 1, 0, 0), ('a', 1, 'RESERVED', 'one', 0, 1, 0, 0),
       ('a', 2, 'USED', 'lane', 0, 1, 0, 0), ('a', 3, 'USED', 'lane', 0, 1, 0, 0),
       ('b', 0, 'USED', 'one', 0, 1, 0, 0);
)sql");
    (void)store();
    auto database = raw();
    EXPECT_EQ(find_value<std::string>(database, R"sql(
SELECT group_concat(submitter || nonce || status, ' ')
FROM (SELECT * FROM submitter_nonce_allocation ORDER BY submitter, nonce)
)sql"),
              "a1RESERVED a3USED b0USED");
    EXPECT_EQ(find_value<std::int64_t>(database, "SELECT sum(retired_below) FROM submitter_nonce_state"), 3);
}

}  // namespace
}  // namespace fencepost::store::sqlite
