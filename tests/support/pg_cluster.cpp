#include "support/pg_cluster.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <libpq-fe.h>
#include <pwd.h>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace fencepost::test {
namespace {

namespace fs = std::filesystem;

const fs::path binaries = "/usr/lib/postgresql/15/bin";

// Role "guarded" requires a password, so that a wrong one can be tested; every other role is trusted.
constexpr auto host_rules = "local all guarded scram-sha-256\nlocal all all trust\nlocal replication all trust\n";

// Ends when its input closes, which happens when this process ends, and then removes the folder. The server itself gets
// a signal from the kernel.
constexpr auto cleanup_script = R"(
    trap '' HUP INT TERM
    read -r line
    tries=0
    while [ -e "$1/data/postmaster.pid" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
    rm -rf "$1")";

// Mounts the small disk in a separate mount namespace before the server starts, so that no privileges are needed and
// nothing is left behind. Changing privileges clears the parent-death signal, so it is set again.
constexpr auto mount_small_disk = R"(mkdir -p "$0" && mount -t tmpfs -o "size=$1m" tmpfs "$0" && shift &&
    exec setpriv --pdeathsig QUIT "$@")";

std::unique_ptr<PgCluster>& shared_cluster() {
    static std::unique_ptr<PgCluster> cluster;
    return cluster;
}

class StopSharedCluster : public testing::Environment {
public:
    void TearDown() override { shared_cluster().reset(); }
};
[[maybe_unused]] const auto* const stops = testing::AddGlobalTestEnvironment(new StopSharedCluster);

void short_pause() { ::usleep(10'000); }

fs::path make_folder(const std::string& owner) {
    auto name = (fs::temp_directory_path() / "fencepost-pg-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create the temporary folder " + name);
    if (owner.empty()) return name;
    const passwd* user = ::getpwnam(owner.c_str());
    if (user == nullptr || ::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) {
        throw std::runtime_error("cannot give " + name + " to the user postgres; run script/bootstrap");
    }
    return name;
}

}  // namespace

// Removes the folder when it is destroyed, or when this process ends without a chance to do so.
class PgCluster::Watchdog {
public:
    explicit Watchdog(const fs::path& folder) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
        lifeline_ = ends[1];
        ::fcntl(ends[0], F_SETFD, 0);
        const auto script = fmt::format("exec <&{}; {}", ends[0], cleanup_script);
        shell_ = std::make_unique<ChildProcess>(
            std::vector<std::string>{"/bin/sh", "-c", script, "cleanup_script", folder.string()},
            ChildOptions{.log = "/dev/null", .parent_death_signal = 0});
        ::close(ends[0]);
    }
    ~Watchdog() {
        ::close(lifeline_);
        shell_->wait();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

private:
    int lifeline_ = -1;  // the only write end of the pipe
    std::unique_ptr<ChildProcess> shell_;
};

PgCluster::PgCluster(ClusterOptions options) : options_(std::move(options)), user_(::geteuid() == 0 ? "postgres" : "") {
    if (!fs::exists(binaries / "postgres")) {
        throw std::runtime_error("PostgreSQL 15 is not installed in " + binaries.string() + "; run script/bootstrap");
    }
    folder_ = make_folder(user_);
    watchdog_ = std::make_unique<Watchdog>(folder_);
    if (options_.standby_of != nullptr) {
        copy_primary();
    } else {
        initialise();
    }
    start();
}

PgCluster::~PgCluster() { stop_immediate(); }

PgCluster& PgCluster::shared() {
    auto& cluster = shared_cluster();
    if (!cluster) cluster = std::make_unique<PgCluster>();
    return *cluster;
}

void PgCluster::initialise() {
    const auto log = folder_ / "initdb.log";
    const auto data = (folder_ / "data").string();
    ChildProcess initdb({(binaries / "initdb").string(), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                         "--locale=C.UTF-8", "-k", "-N"},
                        {.user = user_, .folder = folder_, .log = log});
    if (initdb.wait() != 0) throw std::runtime_error("initdb failed: " + text_of(log));
    std::ofstream(folder_ / "data" / "pg_hba.conf") << host_rules;
}

void PgCluster::copy_primary() {
    const auto log = folder_ / "basebackup.log";
    ChildProcess copy({(binaries / "pg_basebackup").string(), "-D", (folder_ / "data").string(), "-d",
                       options_.standby_of->url("postgres"), "-R", "-X", "stream", "-c", "fast"},
                      {.user = user_, .folder = folder_, .log = log});
    if (copy.wait() != 0) throw std::runtime_error("pg_basebackup failed: " + text_of(log));
}

void PgCluster::start() {
    if (server_) return;
    std::vector<std::string> command;
    if (options_.small_disk_mb > 0) {
        command = {"/usr/bin/unshare",
                   "--map-current-user",
                   "--mount",
                   "--keep-caps",
                   "/bin/sh",
                   "-c",
                   mount_small_disk,
                   small_disk(),
                   fmt::format("{}", options_.small_disk_mb)};
    }
    command.insert(command.end(), {(binaries / "postgres").string(), "-D", (folder_ / "data").string()});
    auto settings = options_.settings;
    // Nothing runs that a test did not request: while an ANALYZE runs anywhere in the cluster, the event log withholds
    // what was committed after it began.
    settings.insert(settings.begin(),
                    {"autovacuum=off", "listen_addresses=", "port=5432", "unix_socket_directories=" + folder_.string(),
                     fmt::format("fsync={}", options_.fsync ? "on" : "off"), "shared_buffers=64MB",
                     "max_connections=60", "max_wal_size=256MB"});
    for (const auto& setting : settings) {
        command.emplace_back("-c");
        command.push_back(setting);
    }
    server_ = std::make_unique<ChildProcess>(
        command,
        ChildOptions{.user = user_, .folder = folder_, .log = folder_ / "log", .parent_death_signal = SIGQUIT});
    wait_until_ready();
}

void PgCluster::wait_until_ready() {
    static constexpr int attempts = 6000;
    for (int i = 0; i < attempts; ++i) {
        if (PQping(url("postgres").c_str()) == PQPING_OK) return;
        if (server_->has_ended()) break;
        short_pause();
    }
    server_.reset();
    throw std::runtime_error("PostgreSQL did not start: " + text_of(folder_ / "log"));
}

void PgCluster::stop_immediate() {
    if (!server_) return;
    server_->signal(SIGQUIT);
    server_->wait();
    server_.reset();
}

std::string PgCluster::fresh_database(const std::string& copy_of) {
    // A death test runs in a copy of this process, with the same counter.
    const auto name = fmt::format("test_{}_{}", ::getpid(), ++databases_);
    run("postgres", fmt::format("CREATE DATABASE {} TEMPLATE {}", name, copy_of));
    return name;
}

std::string PgCluster::url(const std::string& database, const std::string& user) const {
    return fmt::format("postgresql://{}@/{}?host={}&port=5432", user, database, folder_.string());
}

void PgCluster::move_to_small_disk(const std::string& database) const {
    run("postgres", fmt::format("CREATE TABLESPACE small LOCATION '{}'", small_disk().string()));
    run("postgres", fmt::format("ALTER DATABASE {} SET TABLESPACE small", database));
}

void PgCluster::fill_small_disk(const std::string& database) const {
    // Rolled-back rows keep their pages.
    run(database, R"sql(
        CREATE TABLE filler (x text);
        DO $$
        BEGIN
            LOOP
                INSERT INTO filler VALUES (repeat('x', 1900));
            END LOOP;
        EXCEPTION
            WHEN disk_full THEN NULL;
        END $$)sql");
}

void PgCluster::run(const std::string& database, const std::string& sql) const {
    [[maybe_unused]] const auto ignored = value(database, sql);
}

std::string PgCluster::value(const std::string& database, const std::string& sql) const {
    const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(url(database).c_str()), &PQfinish);
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection.get(), sql.c_str()), &PQclear);
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        throw std::runtime_error(fmt::format("{}: {}", sql, PQerrorMessage(connection.get())));
    }
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

void PgCluster::terminate_backend(int pid) const {
    // The second argument is how many milliseconds to wait until the session has ended.
    run("postgres", fmt::format("SELECT pg_terminate_backend({}, 10000)", pid));
}

}  // namespace fencepost::test
