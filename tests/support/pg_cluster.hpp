// A private PostgreSQL for tests: real, on a Unix socket in a temporary folder, gone afterwards. Tests that need one
// are never skipped; where it cannot be started they fail with a sentence.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/child_process.hpp"

namespace fencepost::test {

class PgCluster;

struct ClusterOptions {
    /// Off is twice as fast and survives the death of PostgreSQL, only not that of the machine.
    bool fsync = false;
    std::vector<std::string> settings{};  // "name=value"
    /// A disk of so many MB, in memory, at small_disk(): seen by this server only, and gone with it. 0: none.
    int small_disk_mb = 0;
    /// A read-only copy of this one that follows it, instead of a cluster of its own.
    const PgCluster* standby_of = nullptr;
};

/// Everything throws std::runtime_error with a sentence on failure.
class PgCluster {
public:
    /// Makes the cluster and starts it, as the user postgres if we are root, who must not run a server.
    explicit PgCluster(ClusterOptions options = {});
    /// Stops it and removes its folder.
    ~PgCluster();
    PgCluster(const PgCluster&) = delete;
    PgCluster& operator=(const PgCluster&) = delete;

    /// The one that the tests of this program share. It is started when first asked for and stopped after the last
    /// test.
    static PgCluster& shared();

    /// A new database as a copy of another one, which nobody may be connected to; its name.
    std::string fresh_database(const std::string& copy_of = "template1");
    [[nodiscard]] std::string url(const std::string& database, const std::string& user = "postgres") const;

    /// Runs SQL, blocking, with a connection of its own.
    void run(const std::string& database, const std::string& sql) const;
    /// The same; gives the first column of the first row as text, empty if there is none.
    [[nodiscard]] std::string value(const std::string& database, const std::string& sql) const;

    /// As after the power failed: no connection is told, nothing is written. start() then recovers.
    void stop_immediate();
    void start();
    /// Ends one session, as pg_terminate_backend does, and returns when it is gone.
    void terminate_backend(int pid) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::filesystem::path small_disk() const { return folder_ / "small"; }
    /// Moves a database, to which nobody is connected, to the small disk.
    void move_to_small_disk(const std::string& database) const;
    /// Leaves no page free there; the table "filler" has them.
    void fill_small_disk(const std::string& database) const;

private:
    class Watchdog;

    void initialise();
    void copy_primary();
    void wait_until_it_answers();

    ClusterOptions options_;
    std::string user_;
    std::filesystem::path folder_;
    std::unique_ptr<Watchdog> watchdog_;
    std::unique_ptr<ChildProcess> server_;
    int databases_ = 0;
};

}  // namespace fencepost::test
