// The writer thread and its bounded queue.
#include "telemetry/background_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::telemetry {
namespace {

// How often a writer that waits for its reader checks for shutdown, and how long shutdown may take.
constexpr int poll_interval_ms = 100;
constexpr int shutdown_timeout_ms = 1'000;

// Signals belong to the program's other threads; and a closed reader is an error here, not the end of the process.
void block_all_signals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

BackgroundWriter::BackgroundWriter(int descriptor, Options options)
    : descriptor_(descriptor),
      options_(std::move(options)) {
    FP_ASSERT(options_.dropped_line != nullptr);
    thread_ = std::thread([this] { run(); });
}

BackgroundWriter::~BackgroundWriter() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
    }
    arrived_.notify_one();
    thread_.join();
}

void BackgroundWriter::take(std::string line) {
    {
        const std::scoped_lock lock(mutex_);
        if (waiting_.size() + line.size() > options_.max_queued_bytes) {
            ++lost_;
            return;
        }
        waiting_ += line;
    }
    arrived_.notify_one();
}

void BackgroundWriter::run() {
    block_all_signals();
    while (true) {
        const auto text = next();
        if (text.empty()) return;
        // After an error this text is lost; later lines are tried again, since a full disk may recover.
        if (!write(text) && is_ending()) return;
    }
}

std::string BackgroundWriter::next() {
    std::string text;
    std::uint64_t lost = 0;
    {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return ending_ || !waiting_.empty() || lost_ > 0; });
        text = std::exchange(waiting_, {});
        lost = std::exchange(lost_, 0);
    }
    if (lost > 0) text += options_.dropped_line(lost);
    return text;
}

// In pieces that a pipe accepts at once if it accepts anything, so that only poll() ever blocks.
bool BackgroundWriter::write(std::string_view text) {
    while (!text.empty()) {
        if (!wait_until_writable()) return false;
        const auto written = ::write(descriptor_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
        if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool BackgroundWriter::wait_until_writable() {
    for (int waited_at_shutdown = 0; waited_at_shutdown < shutdown_timeout_ms;) {
        pollfd wanted{.fd = descriptor_, .events = POLLOUT, .revents = 0};
        const int ready = ::poll(&wanted, 1, poll_interval_ms);
        if (ready > 0) return (wanted.revents & POLLOUT) != 0;
        if (ready < 0 && errno != EINTR) return false;
        if (is_ending()) waited_at_shutdown += poll_interval_ms;
    }
    return false;
}

bool BackgroundWriter::is_ending() {
    const std::scoped_lock lock(mutex_);
    return ending_;
}

}  // namespace fencepost::telemetry
