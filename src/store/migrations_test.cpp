// Which migrations are pending, and which databases are rejected.
#include "store/migrations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fencepost::store {
namespace {

std::vector<AppliedMigration> all_applied(const std::vector<Migration>& known) {
    std::vector<AppliedMigration> applied;
    for (const auto& migration : known)
        applied.push_back({migration.version, migration.checksum});
    return applied;
}

TEST(Migrations, BothStoresStartAtVersionOne) {
    for (const auto* store : {"postgres", "sqlite"}) {
        const auto known = migrations_of(store);
        ASSERT_FALSE(known.empty()) << store;
        EXPECT_EQ(known[0].version, 1U);
        EXPECT_EQ(known[0].name, "V1__init.sql");
        EXPECT_NE(known[0].sql.find("CREATE TABLE managed_tx"), std::string::npos);
    }
}

TEST(Migrations, EmptyDatabaseNeedsAllAndCurrentNone) {
    const auto known = migrations_of("sqlite");
    EXPECT_EQ(pending(known, {}).value(), known);
    EXPECT_TRUE(pending(known, all_applied(known)).value().empty());
}

TEST(Migrations, RejectsNewerSchemaByVersion) {
    const auto known = migrations_of("sqlite");
    auto applied = all_applied(known);
    applied.push_back({static_cast<std::uint32_t>(known.size() + 1), "?"});
    const auto answer = pending(known, applied);
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().find(fmt::format("schema version {}", known.size() + 1)), std::string::npos);
}

TEST(Migrations, RejectsChangedMigrationByName) {
    const auto known = migrations_of("postgres");
    auto applied = all_applied(known);
    applied[0].checksum[0] ^= 1;
    const auto answer = pending(known, applied);
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().find("V1__init.sql"), std::string::npos);
}

}  // namespace
}  // namespace fencepost::store
