// Readable errors for every way in which connecting fails.
#include <boost/asio/ip/tcp.hpp>

#include "postgres/pg_test.hpp"

namespace fencepost::store::pg {
namespace {

using namespace std::chrono_literals;
using Kind = PgError::Kind;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Task<PgError> error_of(World* world, std::string url, std::chrono::milliseconds limit = 30s) {
    auto options = world->options;
    options.url = std::move(url);
    options.connect_timeout = limit;
    const auto connection = co_await Connection::connect(world->executor(), options);
    co_return connection ? PgError{.what = "it connected"} : connection.error();
}

Task<void> no_urls(World* world) {
    for (const std::string url :
         {"mysql://user:secret@host/db", "http://secret", "secret", "postgresql://u:secret@[::1/d"}) {
        const auto error = co_await error_of(world, url);
        EXPECT_THAT(error.what, AllOf(HasSubstr("is not a valid PostgreSQL URL"), HasSubstr("write postgresql://"),
                                      Not(HasSubstr("secret"))))
            << url;
    }
    EXPECT_THAT((co_await error_of(world, "")).what, HasSubstr("URL is empty; write postgresql://"));
    EXPECT_THAT((co_await error_of(world, "postgresql://u:secret@host/db?colour=red")).what,
                AllOf(HasSubstr("\"colour\""), Not(HasSubstr("secret"))));
}
TEST(PgConnect, ExplainsInvalidUrlWithoutPassword) { play(no_urls); }

Task<void> unreachable(World* world) {
    for (const std::string url : {"postgresql://u:secret@127.0.0.1:1/db", "postgresql:///db?host=/no/such/folder",
                                  "postgresql://u:secret@no-such-host.invalid/db"}) {
        const auto error = co_await error_of(world, url);
        EXPECT_EQ(error.kind, Kind::lost);
        EXPECT_THAT(error.what,
                    AllOf(HasSubstr("cannot reach the database at"), HasSubstr("check that PostgreSQL runs"),
                          Not(HasSubstr("secret")), Not(HasSubstr("\n"))))
            << url;
    }
}
TEST(PgConnect, ExplainsUnreachableHost) { play(unreachable); }

// Accepts the connection and then stays silent.
Task<void> silent_server(World* world) {
    asio::ip::tcp::acceptor silent(world->executor(), {asio::ip::address_v4::loopback(), 0});
    const auto port = std::to_string(silent.local_endpoint().port());
    const auto error = co_await error_of(world, "postgresql://u@127.0.0.1:" + port + "/db", 300ms);
    EXPECT_THAT(error.what, AllOf(HasSubstr("cannot reach"), HasSubstr("no answer in time")));
}
TEST(PgConnect, AbandonsSilentServer) { play(silent_server); }

Task<void> wrong_database(World* world) {
    const auto error = co_await error_of(world, world->cluster.url("no_such_database"));
    EXPECT_TRUE(error.is("3D000"));
    EXPECT_THAT(error.what, AllOf(HasSubstr("there is no database \"no_such_database\" at"), HasSubstr("create it")));
}
TEST(PgConnect, ExplainsMissingDatabase) { play(wrong_database); }

Task<void> wrong_password(World* world) {
    world->cluster.run("postgres", "DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'right'");
    const auto url = world->cluster.url(world->database, "guarded");
    auto error = co_await error_of(world, url + "&password=wrong");
    EXPECT_TRUE(error.is("28P01"));
    EXPECT_THAT(error.what, AllOf(HasSubstr("rejects user \"guarded\""), HasSubstr("check the user and the")));
    error = co_await error_of(world, url);
    EXPECT_EQ(error.kind, Kind::refused);
    EXPECT_THAT(error.what, AllOf(HasSubstr("no password supplied"), HasSubstr("check the user and the password")));
    EXPECT_EQ((co_await error_of(world, url + "&password=right")).what, "it connected");
    error = co_await error_of(world, world->cluster.url(world->database, "nobody"));
    EXPECT_THAT(error.what, HasSubstr("rejects user \"nobody\""));
}
TEST(PgConnect, ExplainsWrongUserOrPassword) { play(wrong_password); }

Task<void> read_only(World* world) {
    world->cluster.run("postgres", "ALTER DATABASE " + world->database + " SET default_transaction_read_only = on");
    const auto error = co_await error_of(world, world->options.url);
    EXPECT_TRUE(error.is("25006"));
    EXPECT_THAT(error.what, HasSubstr("is a read-only standby; use the primary's address"));
}
TEST(PgConnect, RejectsReadOnlyServer) { play(read_only); }

Task<void> real_standby(World* world) {
    const test::PgCluster standby({.standby_of = &world->cluster});
    const auto error = co_await error_of(world, standby.url(world->database));
    EXPECT_EQ(error.kind, Kind::refused);
    EXPECT_TRUE(error.is("25006"));
    EXPECT_THAT(error.what, HasSubstr("is a read-only standby; use the primary's address"));
}
TEST(PgConnect, RejectsStandbyServer) { play(real_standby); }

}  // namespace
}  // namespace fencepost::store::pg
