// Writes log lines on a thread of its own, because standard output can block (Ctrl-S in a terminal, a stalled log
// collector) and a lane that waited for it would lose its lease. Lines beyond a limit are dropped and counted.
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
        /// Maximum number of bytes queued.
        std::size_t max_queued_bytes = 1'048'576;
        /// Builds the line that reports how many lines were dropped.
        std::function<std::string(std::uint64_t lost)> dropped_line;
    };

    /// The caller owns `descriptor` and must keep it open.
    BackgroundWriter(int descriptor, Options options);
    /// Flushes the queue, unless the reader is blocked.
    ~BackgroundWriter() override;
    BackgroundWriter(const BackgroundWriter&) = delete;
    BackgroundWriter& operator=(const BackgroundWriter&) = delete;

    void take(std::string line) override;

private:
    void run();
    /// Waits for queued text; empty when nothing is queued and shutdown has begun.
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

    std::thread thread_;  // last: it uses the other members
};

}  // namespace fencepost::telemetry
