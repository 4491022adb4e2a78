// A private PostgreSQL server for tests, on a Unix socket in a temporary folder that is removed afterwards. Tests that
// need one are never skipped; where it cannot be started they fail with an explanation.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/child_process.hpp"

namespace fencepost::test {

class PgCluster;

struct ClusterOptions {
    /// Off is twice as fast; the data survives a crash of PostgreSQL, but not of the machine.
    bool fsync = false;
    std::vector<std::string> settings{};  // "name=value"
    /// A RAM disk of this many MB at small_disk(), visible to this server only and removed with it. 0: none.
    int small_disk_mb = 0;
    /// Makes this cluster a read-only standby of another one.
    const PgCluster* standby_of = nullptr;
};

/// Every function throws std::runtime_error with an explanation on failure.
class PgCluster {
public:
    /// Creates the cluster and starts it; if the tests run as root, as user postgres, because root must not run the
    /// server.
    explicit PgCluster(ClusterOptions options = {});
    /// Stops the server and removes its folder.
    ~PgCluster();
    PgCluster(const PgCluster&) = delete;
    PgCluster& operator=(const PgCluster&) = delete;

    /// The cluster that the tests of this program share. It starts at the first call and stops after the last test.
    static PgCluster& shared();

    /// Creates a copy of another database, which must have no connections, and returns its name.
    std::string fresh_database(const std::string& copy_of = "template1");
    [[nodiscard]] std::string url(const std::string& database, const std::string& user = "postgres") const;

    /// Runs SQL synchronously on a new connection.
    void run(const std::string& database, const std::string& sql) const;
    /// Like run(); returns the first column of the first row as text, or an empty string.
    [[nodiscard]] std::string value(const std::string& database, const std::string& sql) const;

    /// As after a power failure: connections get no notice and nothing is flushed. start() then recovers.
    void stop_immediate();
    void start();
    /// Ends one session like pg_terminate_backend, and returns when it has ended.
    void terminate_backend(int pid) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::filesystem::path small_disk() const { return folder_ / "small"; }
    /// Moves a database, which must have no connections, to the small disk.
    void move_to_small_disk(const std::string& database) const;
    /// Fills the small disk completely; the table "filler" occupies its pages.
    void fill_small_disk(const std::string& database) const;

private:
    class Watchdog;

    void initialise();
    void copy_primary();
    void wait_until_ready();

    ClusterOptions options_;
    std::string user_;
    std::filesystem::path folder_;
    std::unique_ptr<Watchdog> watchdog_;
    std::unique_ptr<ChildProcess> server_;
    int databases_ = 0;
};

}  // namespace fencepost::test
