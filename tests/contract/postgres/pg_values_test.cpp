// Values of every type through a real PostgreSQL.
#include <limits>

#include "postgres/pg_test.hpp"

namespace fencepost::store::pg {
namespace {

using namespace std::chrono_literals;

template <typename T>
using Column = std::vector<std::optional<T>>;

const Bytes some_bytes{0x00, 0xff, 0x5c, 0x27};
const auto some_uuid = Uuid::parse("017f22e2-79b0-7cc3-98c4-dc0c0c07398f").value();

constexpr Statement echo_scalars{"echo_scalars", "SELECT $1, $2, $3, $4, $5, $6 = interval '1.5 seconds', $7::bigint"};

Task<void> scalars_come_back(World* world) {
    const auto connection = co_await connected(world);
    for (const auto number : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max()}) {
        Params params;
        params.add(number).add(true).add("naïve 'text' \\").add(some_uuid).add(ByteView(some_bytes)).add(1500ms);
        params.add_null();
        const auto rows = co_await connection->run_one({&echo_scalars, std::move(params)});
        EXPECT_TRUE(rows.has_value()) << rows.error().what;
        EXPECT_EQ(rows->integer(0, 0), number);
        EXPECT_TRUE(rows->boolean(0, 1));
        EXPECT_EQ(rows->text(0, 2), "naïve 'text' \\");
        EXPECT_EQ(rows->uuid(0, 3), some_uuid);
        EXPECT_EQ(rows->bytes(0, 4), some_bytes);
        EXPECT_TRUE(rows->boolean(0, 5));
        EXPECT_TRUE(rows->is_null(0, 6));
    }
}
TEST(PgValues, ScalarsRoundTrip) { play(scalars_come_back); }

constexpr Statement empty_values{"empty_values", "SELECT $1 = '', $2 = ''::bytea, $1 IS NULL, $2 IS NULL"};

Task<void> empty_is_not_null(World* world) {
    const auto connection = co_await connected(world);
    const auto rows = co_await connection->run_one({&empty_values, Params().add("").add(ByteView())});
    EXPECT_TRUE(rows.has_value()) << rows.error().what;
    for (const std::size_t column : {0U, 1U})
        EXPECT_TRUE(rows->boolean(0, column));
    for (const std::size_t column : {2U, 3U})
        EXPECT_FALSE(rows->boolean(0, column));
}
TEST(PgValues, EmptyTextIsNotNull) { play(empty_is_not_null); }

constexpr Statement nullable{"nullable", "SELECT $1::bigint"};

Task<void> null_first_then_value(World* world) {
    const auto connection = co_await connected(world);
    const auto null = co_await connection->run_one({&nullable, Params().add_null()});
    const auto value = co_await connection->run_one({&nullable, Params().add(7)});
    EXPECT_TRUE(null->is_null(0, 0));
    EXPECT_EQ(value->integer(0, 0), 7);
}
TEST(PgValues, AcceptsNullThenValue) { play(null_first_then_value); }

constexpr Statement echo_arrays{"echo_arrays", R"(
    SELECT a, b, c, d, e FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS item (a, b, c, d, e, n) ORDER BY n)"};

Params arrays(const Column<std::int64_t>& a, const Column<std::string>& b, const Column<Bytes>& c,
              const Column<Uuid>& d, const Column<bool>& e) {
    return Params().add(a).add(b).add(c).add(d).add(e);
}

Task<void> arrays_come_back(World* world) {
    const auto connection = co_await connected(world);
    const auto rows = co_await connection->run_one(
        {&echo_arrays, arrays({1, std::nullopt}, {std::nullopt, ""}, {some_bytes, std::nullopt},
                              {std::nullopt, some_uuid}, {false, std::nullopt})});
    EXPECT_TRUE(rows.has_value()) << rows.error().what;
    EXPECT_EQ(rows->size(), 2U);
    EXPECT_EQ(rows->integer(0, 0), 1);
    EXPECT_EQ(rows->text(1, 1), "");
    EXPECT_EQ(rows->bytes(0, 2), some_bytes);
    EXPECT_EQ(rows->uuid(1, 3), some_uuid);
    EXPECT_FALSE(rows->boolean(0, 4));
    for (const auto& [row, column] : {std::pair{1U, 0U}, {0U, 1U}, {1U, 2U}, {0U, 3U}, {1U, 4U}})
        EXPECT_TRUE(rows->is_null(row, column)) << row << ", " << column;

    const auto none = co_await connection->run_one({&echo_arrays, arrays({}, {}, {}, {}, {})});
    EXPECT_TRUE(none.has_value()) << none.error().what;
    EXPECT_EQ(none->size(), 0U);
}
TEST(PgValues, ArraysRoundTripWithNullsAndEmpty) { play(arrays_come_back); }

constexpr Statement other_types{"other_types", R"(
    SELECT 1::int2, 2::int4, pg_current_xact_id(), 'n'::name, '{"a": 1}'::json, '{"a": 1}'::jsonb, 'v'::varchar)"};
constexpr Statement times{"times", R"(
    SELECT '-infinity'::timestamptz, 'infinity'::timestamptz, '1970-01-01 00:00:01.000002Z'::timestamptz,
           '1969-12-31 23:59:59Z'::timestamptz, '2026-11-15 21:41:26.000123Z'::timestamptz)"};

Task<void> other_types_are_read(World* world) {
    const auto connection = co_await connected(world);
    auto rows = co_await connection->run_one({&other_types});
    EXPECT_EQ(rows->integer(0, 0), 1);
    EXPECT_EQ(rows->integer(0, 1), 2);
    EXPECT_GT(rows->integer(0, 2), 0);
    EXPECT_EQ(rows->text(0, 3), "n");
    EXPECT_EQ(rows->text(0, 4), R"({"a": 1})");
    EXPECT_EQ(rows->text(0, 5), R"({"a": 1})");
    EXPECT_EQ(rows->text(0, 6), "v");

    rows = co_await connection->run_one({&times});
    EXPECT_EQ(rows->time(0, 0), UnixTime::min());
    EXPECT_EQ(rows->time(0, 1), UnixTime::max());
    EXPECT_EQ(rows->time(0, 2), UnixTime(1'000'002us));
    EXPECT_EQ(rows->time(0, 3), UnixTime(-1s));
    EXPECT_EQ(to_rfc3339(rows->time(0, 4)), "2026-11-15T21:41:26.000123Z");
}
TEST(PgValues, ReadsOtherTypes) { play(other_types_are_read); }

Task<void> read_as_another_type(World* world) {
    const auto connection = co_await connected(world);
    const auto rows = co_await connection->run_one({&nullable, Params().add(7)});
    EXPECT_DEATH(std::ignore = rows->text(0, 0), "oid 20");
    EXPECT_DEATH(std::ignore = rows->integer(0, 1), "no row 0, column 1");
    EXPECT_DEATH(std::ignore = rows->integer(1, 0), "no row 1, column 0");
}
TEST(PgValues, ReadingColumnAsOtherTypeAborts) { play(read_as_another_type); }

// Far more than the socket buffers hold in either direction: a client that only writes would block forever.
Task<void> large_batches(World* world) {
    const auto connection = co_await connected(world);
    Column<std::int64_t> a;
    Column<std::string> b;
    Column<Bytes> c;
    Column<Uuid> d;
    Column<bool> e;
    for (std::int64_t i = 0; i < 100'000; ++i) {
        a.emplace_back(i);
        b.emplace_back("text " + std::to_string(i));
        c.emplace_back(some_bytes);
        d.emplace_back(some_uuid);
        e.emplace_back(i % 2 == 0);
    }
    std::vector<Query> many;
    for (int i = 0; i < 3; ++i)
        many.push_back({&echo_arrays, arrays(a, b, c, d, e)});
    const auto answer = co_await connection->run(std::move(many));
    EXPECT_TRUE(answer.has_value()) << answer.error().what;
    if (!answer) co_return;
    for (const auto& rows : *answer) {
        EXPECT_EQ(rows.size(), 100'000U);
        EXPECT_EQ(rows.text(99'999, 1), "text 99999");
    }
}
TEST(PgValues, BatchLargerThanBuffersDoesNotDeadlock) { play(large_batches); }

}  // namespace
}  // namespace fencepost::store::pg
