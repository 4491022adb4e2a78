#include "api/auth/key_ring.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::api {
namespace {

constexpr Duration look_every = std::chrono::seconds(1);

std::int64_t nanoseconds(const timespec& time) {
    return std::chrono::nanoseconds(std::chrono::seconds(time.tv_sec)).count() + time.tv_nsec;
}

}  // namespace

KeyRing::KeyRing(std::filesystem::path path, Clock& clock, Log& log)
    : path_(std::move(path)),
      clock_(clock),
      log_(log),
      seen_(version()),
      next_look_(clock.monotonic() + look_every) {
    if (!seen_) {
        throw StartupError(
            fmt::format("the file of API keys {} cannot be read: {}; make it with `fencepost apikey new`",
                        path_.string(), std::strerror(errno)));
    }
    if (const auto loaded = load(*seen_); !loaded) {
        throw StartupError(fmt::format("the API keys cannot be used: {}", loaded.error()));
    }
}

void KeyRing::refresh() {
    const auto now = clock_.monotonic();
    if (now < next_look_) return;
    next_look_ = now + look_every;
    const auto current = version();
    if (current == seen_) return;
    seen_ = current;
    const auto loaded = current ? load(*current) : Status<std::string>(err(std::string("the file is gone")));
    if (loaded) {
        log_.write(Severity::info, "the API keys have changed",
                   {{"file", path_.string()}, {"keys", std::to_string(keys_.size())}});
    } else {
        log_.write(Severity::warning, "the file of API keys cannot be used; the keys stay as they were",
                   {{"file", path_.string()}, {"reason", loaded.error()}});
    }
}

const ApiKey* KeyRing::find(std::string_view presented) const {
    const auto hash = hash_of_api_key(presented);
    const ApiKey* found = nullptr;
    for (const auto& key : keys_) {  // to the end, whether it is found or not
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
        return err(fmt::format("everybody may write {}, and so make themselves a key; chmod 600 it", path_.string()));
    }
    if ((version.mode & S_IROTH) != 0) {
        log_.write(Severity::warning, "everybody may read the file of API keys; chmod 600 it",
                   {{"file", path_.string()}});
    }
    auto keys = read_key_file(path_);
    if (!keys) return err(keys.error());
    keys_ = *std::move(keys);
    ++generation_;
    return {};
}

}  // namespace fencepost::api
