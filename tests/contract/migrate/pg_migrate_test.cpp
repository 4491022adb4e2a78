// Migrates a real PostgreSQL, also with migrations that this program does not have: failing, changed, newer.
#include "store/postgres/connection/pg_migrate.hpp"

#include <algorithm>

#include "postgres/pg_test.hpp"

namespace fencepost::store::pg {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Migration one() { return {1, "V1__one.sql", "CREATE TABLE one (a int)", "c1"}; }
Migration two() {
    return {2, "V2__two.sql", "CREATE TABLE two (a int); INSERT INTO two VALUES (2) -- no newline", "c2"};
}
Migration broken() { return {2, "V2__broken.sql", "CREATE TABLE half (a int); SELECT 1 / 0", "c2"}; }

Task<Status<std::string>> migrate_with(World* world, std::vector<Migration> known,
                                       std::vector<std::string>* applied = nullptr) {
    OnApplied note;
    if (applied != nullptr) note = [applied](const Migration& migration) { applied->push_back(migration.name); };
    return migrate(world->executor(), world->options, std::move(known), std::move(note));
}

Task<std::string> error_with(World* world, std::vector<Migration> known) {
    const auto migrated = co_await migrate_with(world, std::move(known));
    co_return migrated ? "it migrated" : migrated.error();
}

std::string value(World* world, const std::string& sql) { return world->cluster.value(world->database, sql); }
std::string tables(World* world) {
    return value(world,
                 "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables "
                 "WHERE schemaname = 'public'");
}

Task<void> fresh_and_again(World* world) {
    std::vector<std::string> applied;
    EXPECT_TRUE(co_await migrate_with(world, {one()}, &applied));
    EXPECT_TRUE(co_await migrate_with(world, {one()}, &applied));
    EXPECT_THAT(applied, ElementsAre("V1__one.sql"));
    EXPECT_TRUE(co_await migrate_with(world, {one(), two()}, &applied));
    EXPECT_THAT(applied, ElementsAre("V1__one.sql", "V2__two.sql"));
    EXPECT_EQ(value(world,
                    "SELECT string_agg(version || name || checksum, ' ' ORDER BY version) FROM schema_migration "
                    "WHERE applied_at <= clock_timestamp()"),
              "1V1__one.sqlc1 2V2__two.sqlc2");
}
TEST(PgMigrate, AppliesPendingOnceInOrder) { play(fresh_and_again); }

// A database from before verdicts were counted.
Task<void> old_verdicts(World* world) {
    auto known = migrations_of("postgres");
    const auto tally = std::ranges::find(known, "V5__tally.sql", &Migration::name);
    EXPECT_TRUE(co_await migrate_with(world, {known.begin(), tally}));
    world->cluster.run(world->database, R"sql(
INSERT INTO managed_tx (tx_id, accept_sequence, submitter, fingerprint, state, done)
SELECT gen_random_uuid(), nextval('accept_sequence'), submitter, '', state, state <> 'QUEUED'
FROM (VALUES ('a', 'CONFIRMED'), ('a', 'CONFIRMED'), ('a', 'REJECTED'), ('a', 'QUEUED'), ('b', 'CONFIRMED'))
    AS t (submitter, state)
)sql");
    EXPECT_TRUE(co_await migrate_with(world, known));
    EXPECT_EQ(value(world,
                    "SELECT string_agg(submitter || ' ' || state || ' ' || count, ', ' ORDER BY submitter, state) "
                    "FROM submitter_tally"),
              "a CONFIRMED 2, a REJECTED 1, b CONFIRMED 1");
}
TEST(PgMigrate, CountsVerdictsOfOlderSchema) { play(old_verdicts); }

// A database from before the blocks of settled transactions were recorded: a's nonce 0 is finalized, its 3 was removed
// by a reorg, and its 4 was lost permanently without a block.
Task<void> old_settled(World* world) {
    auto known = migrations_of("postgres");
    const auto blocks =
        std::ranges::find_if(known, [](const auto& one) { return one.name.contains("settled_blocks"); });
    EXPECT_TRUE(co_await migrate_with(world, {known.begin(), blocks}));
    world->cluster.run(world->database, R"sql(
INSERT INTO submitter_nonce_cursor (submitter, next_nonce, watch_from, fencing_token, updated_at)
VALUES ('a', 9, 1, 1, clock_timestamp()), ('b', 9, 0, 1, clock_timestamp());
WITH tx AS (
    INSERT INTO managed_tx (tx_id, accept_sequence, submitter, fingerprint, state, sub_state, done, nonce,
                            receipt_block_number, receipt_block_hash)
    SELECT gen_random_uuid(), nextval('accept_sequence'), submitter, '', state, sub, state <> 'TRACKING', nonce, block,
           decode('0' || block, 'hex')
    FROM (VALUES ('a', 'CONFIRMED', '', 0, 5), ('a', 'CONFIRMED', '', 1, 5), ('a', 'FAILED_FINAL', '', 2, 5),
                 ('a', 'CONFIRMED', 'FORKED', 3, NULL), ('a', 'FAILED_FINAL', 'NONCE_TAKEN', 4, NULL),
                 ('a', 'TRACKING', 'MINED', 5, 7), ('b', 'CONFIRMED', '', 0, 5))
        AS t (submitter, state, sub, nonce, block)
    RETURNING submitter, nonce, tx_id
)
INSERT INTO nonce_assignment (submitter, nonce, tx_id)
SELECT submitter, nonce, tx_id FROM tx
)sql");
    EXPECT_TRUE(co_await migrate_with(world, known));
    EXPECT_EQ(value(world,
                    "SELECT string_agg(format('%s %s-%s in %s', submitter, first_nonce, last_nonce, "
                    "coalesce(block_number::text, 'none')), ', ' ORDER BY submitter, first_nonce) FROM settled_block"),
              "a 1-2 in 5, a 3-3 in none, b 0-0 in 5");
}
TEST(PgMigrate, Failure44WatchesSettledBlocksOfOlderSchema) { play(old_settled); }

// A database from before used nonces of shared keys were deleted. The finalized nonces of b are unknown.
Task<void> old_nonces(World* world) {
    auto known = migrations_of("postgres");
    const auto live = std::ranges::find(known, "V7__live_nonce_allocations.sql", &Migration::name);
    EXPECT_TRUE(co_await migrate_with(world, {known.begin(), live}));
    world->cluster.run(world->database, R"sql(
INSERT INTO submitter_nonce_cursor (submitter, next_nonce, watch_from, fencing_token, updated_at)
VALUES ('a', 9, 3, 1, clock_timestamp());
INSERT INTO submitter_nonce_state (submitter, next_local_nonce, last_chain_nonce, fencing_token, updated_at)
VALUES ('a', 9, 9, 1, clock_timestamp()), ('b', 9, 9, 1, clock_timestamp());
INSERT INTO submitter_nonce_allocation (submitter, nonce, status, lock_owner, locked_until, fencing_token)
SELECT submitter, nonce, status, 'lane', clock_timestamp(), 1
FROM (VALUES ('a', 0, 'USED'), ('a', 1, 'RESERVED'), ('a', 2, 'USED'), ('a', 3, 'USED'), ('b', 0, 'USED'))
    AS t (submitter, nonce, status)
)sql");
    EXPECT_TRUE(co_await migrate_with(world, known));
    EXPECT_EQ(value(world,
                    "SELECT string_agg(submitter || nonce || status, ' ' ORDER BY submitter, nonce) "
                    "FROM submitter_nonce_allocation"),
              "a1RESERVED a3USED b0USED");
    EXPECT_EQ(value(world,
                    "SELECT string_agg(submitter || retired_below, ' ' ORDER BY submitter) "
                    "FROM submitter_nonce_state"),
              "a3 b0");
}
TEST(PgMigrate, DeletesUsedNoncesOfOlderSchema) { play(old_nonces); }

Task<void> real_ones(World* world) {
    const auto known = migrations_of("postgres");
    EXPECT_THAT((co_await check_schema(world->executor(), world->options, known)).error(),
                AllOf(HasSubstr("lacks migration V1__init.sql"), HasSubstr("run fencepost migrate with the same")));
    EXPECT_TRUE(co_await migrate_with(world, known));
    EXPECT_TRUE(co_await check_schema(world->executor(), world->options, known));
    EXPECT_EQ(value(world, "SELECT count(*) FROM managed_tx"), "0");
}
TEST(PgMigrate, NamesMissingMigration) { play(real_ones); }

// Slow enough that all others arrive while the first one runs.
Task<void> many_at_once(World* world) {
    std::vector<std::string> applied;
    const Migration slow{1, "V1__slow.sql", "SELECT pg_sleep(0.3); CREATE TABLE slow (a int)", "c1"};
    int done = 0;
    TaskGroup nodes(world->executor());
    const auto node = [](World* at, Migration migration, std::vector<std::string>* names, int* count) -> Task<void> {
        const auto migrated = co_await migrate_with(at, {migration}, names);
        EXPECT_TRUE(migrated) << migrated.error();
        ++*count;
    };
    for (int i = 0; i < 5; ++i)
        nodes.spawn(node(world, slow, &applied, &done));
    co_await nodes.join();
    EXPECT_EQ(done, 5);
    EXPECT_THAT(applied, ElementsAre("V1__slow.sql"));
}
TEST(PgMigrate, ConcurrentNodesMigrateOnce) { play(many_at_once); }

Task<void> looking(World* world) {
    const auto pending = co_await read_pending(world->executor(), world->options, {one(), two()});
    EXPECT_EQ(pending.value(), (std::vector{one(), two()}));
    EXPECT_EQ(tables(world), "") << "not even the ledger";
    EXPECT_TRUE(co_await migrate_with(world, {one()}));
    EXPECT_EQ((co_await read_pending(world->executor(), world->options, {one(), two()})).value(), std::vector{two()});
    EXPECT_EQ(tables(world), "one schema_migration");
}
TEST(PgMigrate, CheckingWritesNothing) { play(looking); }

Task<void> future(World* world) {
    EXPECT_TRUE(co_await migrate_with(world, {one(), two()}));
    const auto refusal = HasSubstr("is at schema version 2, this program supports only 1");
    EXPECT_THAT(co_await error_with(world, {one()}), refusal);
    EXPECT_THAT((co_await check_schema(world->executor(), world->options, {one()})).error(), refusal);
}
TEST(PgMigrate, RejectsNewerSchema) { play(future); }

Task<void> changed(World* world) {
    EXPECT_TRUE(co_await migrate_with(world, {one()}));
    auto other = one();
    other.checksum = "c0";
    EXPECT_THAT(co_await error_with(world, {other, two()}),
                AllOf(HasSubstr("V1__one.sql in the database differs"), HasSubstr("restore")));
    EXPECT_EQ(tables(world), "one schema_migration");
}
TEST(PgMigrate, RejectsChangedMigration) { play(changed); }

Task<void> failing(World* world) {
    EXPECT_THAT(co_await error_with(world, {one(), broken()}),
                AllOf(HasSubstr("V2__broken.sql was not applied"), HasSubstr("division by zero")));
    EXPECT_EQ(tables(world), "one schema_migration") << "the first stays, nothing of the second";
    EXPECT_TRUE(co_await migrate_with(world, {one(), two()})) << "and continues once the migration is corrected";

    world->database = world->cluster.fresh_database();
    world->options.url = world->cluster.url(world->database);
    auto first = broken();
    first.version = 1;
    EXPECT_THAT(co_await error_with(world, {first}), HasSubstr("was not applied"));
    EXPECT_EQ(tables(world), "") << "not even the ledger";
}
TEST(PgMigrate, FailingMigrationIsRolledBack) { play(failing); }

Task<void> not_allowed(World* world) {
    world->cluster.run("postgres", "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN");
    world->options.url = world->cluster.url(world->database, "reader");
    EXPECT_THAT(co_await error_with(world, {one()}), HasSubstr("let this user create tables"));
}
TEST(PgMigrate, ExplainsMissingCreatePermission) { play(not_allowed); }

}  // namespace
}  // namespace fencepost::store::pg
