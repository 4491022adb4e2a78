#include "api/auth/key_ring.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::api {
namespace {

constexpr Duration poll_interval = std::chrono::seconds(1);

std::int64_t nanoseconds(const timespec& time) {
    return std::chrono::nanoseconds(std::chrono::seconds(time.tv_sec)).count() + time.tv_nsec;
}

}  // namespace

KeyRing::KeyRing(std::filesystem::path path, Clock& clock, Log& log)
    : path_(std::move(path)),
      clock_(clock),
      log_(log),
      seen_(version()),
      next_check_(clock.monotonic() + poll_interval) {
    if (!seen_) {
        throw StartupError(fmt::format("the API key file {} cannot be read: {}; create it with `fencepost apikey new`",
                                       path_.string(), std::strerror(errno)));
    }
    if (const auto loaded = load(*seen_); !loaded) {
        throw StartupError(fmt::format("the API keys cannot be used: {}", loaded.error()));
    }
}

void KeyRing::refresh() {
    const auto now = clock_.monotonic();
    if (now < next_check_) return;
    next_check_ = now + poll_interval;
    const auto current = version();
    if (current == seen_) return;
    seen_ = current;
    const auto loaded = current ? load(*current) : Status<std::string>(err(std::string("the file is missing")));
    if (loaded) {
        log_.write(Severity::info, "API keys reloaded",
                   {{"file", path_.string()}, {"keys", std::to_string(keys_.size())}});
    } else {
        log_.write(Severity::warning, "API key file cannot be used; keys unchanged",
                   {{"file", path_.string()}, {"reason", loaded.error()}});
    }
}

const ApiKey* KeyRing::find(std::string_view presented) const {
    const auto hash = hash_of_api_key(presented);
    const ApiKey* found = nullptr;
    for (const auto& key : keys_) {  // no early exit: constant time
        if (equal_in_constant_time(key.hash, hash)) found = &key;
    }
    return found;
}

std::optional<KeyRing::Version> KeyRing::version() const {
    struct stat is{};
    if (::stat(path_.c_str(), &is) != 0) return std::nullopt;
    return Version{.device = is.st_dev,
                   .inode = is.st_ino,
                   .size = is.st_size,
                   .modified = nanoseconds(is.st_mtim),
                   .changed = nanoseconds(is.st_ctim),
                   .mode = is.st_mode};
}

Status<std::string> KeyRing::load(const Version& version) {
    if ((version.mode & S_IWOTH) != 0) {
        return err(fmt::format("{} is writable by all users, who could add keys; run chmod 600 on it", path_.string()));
    }
    if ((version.mode & S_IROTH) != 0) {
        log_.write(Severity::warning, "API key file is readable by all users; run chmod 600 on it",
                   {{"file", path_.string()}});
    }
    auto keys = read_key_file(path_);
    if (!keys) return err(keys.error());
    keys_ = *std::move(keys);
    ++generation_;
    return {};
}

}  // namespace fencepost::api
