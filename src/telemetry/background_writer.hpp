// Standard output can stand still: a terminal is held with Ctrl-S, a collector of logs hangs. A lane that waited for it
// would lose its lease, so a thread of its own does the waiting. What piles up beyond a limit is dropped, and said.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "telemetry/line_sink.hpp"

namespace fencepost::telemetry {

class BackgroundWriter final : public LineSink {
public:
    struct Options {
        /// How many bytes may wait to be written.
        std::size_t most_waiting = 1'048'576;
        /// Makes the line that tells how many lines were dropped.
        std::function<std::string(std::uint64_t lost)> lost_line;
    };

    /// `descriptor` stays the caller's, and must stay open.
    BackgroundWriter(int descriptor, Options options);
    /// Writes what is left, unless the reader stands still.
    ~BackgroundWriter() override;
    BackgroundWriter(const BackgroundWriter&) = delete;
    BackgroundWriter& operator=(const BackgroundWriter&) = delete;

    void take(std::string line) override;

private:
    void run();
    /// What waits, as soon as something does; empty when nothing does and the end has come.
    [[nodiscard]] std::string next();
    [[nodiscard]] bool write(std::string_view text);
    [[nodiscard]] bool wait_until_writable();
    [[nodiscard]] bool is_ending();

    const int descriptor_;
    const Options options_;

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::string waiting_;
    std::uint64_t lost_ = 0;
    bool ending_ = false;

    std::thread thread_;  // last, for it uses the others
};

}  // namespace fencepost::telemetry
