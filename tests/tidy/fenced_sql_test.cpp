#include "fenced_sql.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FencedSql, EveryWriteOfSubmitterTablesIsDocumented) { EXPECT_TRUE(clean(undocumented_writes(project()))); }

std::vector<std::string> found(const SourceTree& tree) { return places(undocumented_writes(tree)); }

const std::string update = "R\"sql(\nUPDATE managed_tx t\nSET state = 'x'\n)sql\"";

TEST(FencedSqlRule, FindsEveryKindOfWrite) {
    for (const auto* sql : {"UPDATE managed_tx SET x = 1", "update  managed_tx", "INSERT INTO tx_event VALUES (1)",
                            "INSERT OR REPLACE INTO submitter_lease", "DELETE FROM nonce_assignment",
                            "TRUNCATE tx_attempt", "UPDATE\n    submitter_status"}) {
        EXPECT_THAT(found({{"src/http/routes/a.cpp", sql}}), ElementsAre("src/http/routes/a.cpp:1")) << sql;
    }
}

TEST(FencedSqlRule, IgnoresReadsOtherTablesAndTests) {
    for (const auto* sql :
         {"SELECT * FROM managed_tx", "INSERT INTO chain_block", "UPDATE managed_txs", "FOR UPDATE"}) {
        EXPECT_THAT(found({{"src/store/a.cpp", sql}}), IsEmpty()) << sql;
    }
    EXPECT_THAT(found({{"src/store/a_test.cpp", update}, {"tests/race/a.cpp", update}}), IsEmpty());
}

TEST(FencedSqlRule, AcceptsDocumentedWrites) {
    const std::string document =
        "| file | table | why |\n|---|---|---|\n| `src/store/a.cpp` | `managed_tx` | fenced |\n";
    EXPECT_THAT(found({{"src/store/a.cpp", update}, {"docs/internals/critical-writes.md", document}}), IsEmpty());
    EXPECT_THAT(found({{"src/store/b.cpp", update}, {"docs/internals/critical-writes.md", document}}),
                ElementsAre("src/store/b.cpp:1", "docs/internals/critical-writes.md:1"));
}

}  // namespace
}  // namespace fencepost::tidy
