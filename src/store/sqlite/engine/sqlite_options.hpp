// Settings of a SQLite store.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/time.hpp"

namespace fencepost::store {

/// Where the store's work runs.
enum class Execution {
    in_place,  // on the thread of the calling task: simulator and unit tests
    threaded,  // on the store's own thread, so that no lane waits for the disk
};

struct SqliteOptions {
    std::string path;  // ":memory:" is not persistent
    /// The database's time, by which leases are judged. With `threaded` it is called on the store's thread.
    std::function<UnixTime()> now;
    Execution execution = Execution::threaded;
    /// How long to wait for another process that writes to the file.
    std::chrono::milliseconds busy_timeout{2000};
};

}  // namespace fencepost::store
