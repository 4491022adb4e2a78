#include "devchain/journal.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::devchain {
namespace {

std::string last_error() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe): no other thread runs

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 65'536> buffer{};
    for (;;) {
        const auto n = ::read(descriptor, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

}  // namespace

Journal::Journal(const std::filesystem::path& file, const Genesis& genesis) : name_(file.string()), genesis_(genesis) {
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw StartupError(fmt::format("{} cannot be opened: {}", name_, last_error()));
    try {
        lock();
        read();
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::lock() {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    throw StartupError(fmt::format("another development chain runs on {}: stop it, or use another folder", name_));
}

void Journal::read() {
    const auto text = read_all(descriptor_);
    const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    if (whole < text.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
        throw StartupError(fmt::format("the incomplete last line of {} cannot be removed: {}", name_, last_error()));
    }
    std::string_view rest = std::string_view(text).substr(0, whole);
    if (rest.empty()) {
        write(to_line(genesis_));
        if (failure_) throw StartupError(*failure_);
        return;
    }
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() + 1);
        const auto damaged = [&](const ParseError& error) {
            return StartupError(
                fmt::format("{}, line {}: {}; move the file away to start a new chain", name_, number, error.what));
        };
        if (number == 1) {
            const auto first = parse_genesis(line);
            if (!first) throw damaged(first.error());
            genesis_ = *first;
            continue;
        }
        auto operation = parse_operation(line);
        if (!operation) throw damaged(operation.error());
        history_.push_back(*std::move(operation));
    }
}

void Journal::append(const Operation& operation) { write(to_line(operation)); }

void Journal::write(const std::string& line) {
    const auto text = line + "\n";
    std::string_view rest = text;
    while (!failure_ && !rest.empty()) {
        const auto n = ::write(descriptor_, rest.data(), rest.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail("written to");
        rest.remove_prefix(static_cast<std::size_t>(n));
    }
}

void Journal::sync() {
    if (!failure_ && ::fdatasync(descriptor_) != 0) fail("synchronized");
}

void Journal::fail(const char* what) { failure_ = fmt::format("{} cannot be {}: {}", name_, what, last_error()); }

}  // namespace fencepost::devchain
