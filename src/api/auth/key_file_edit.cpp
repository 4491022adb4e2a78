// Reads and replaces the file of API keys on disk, always as a whole.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "api/auth/key_file.hpp"
#include "base/descriptor.hpp"

namespace fencepost::api {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_file = std::size_t{1024} * 1024;

std::string cannot(std::string_view verb, const fs::path& path) {
    return fmt::format("{} cannot be {}: {}", path.string(), verb, std::strerror(errno));
}

Result<std::string, std::string> read_text(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return err(cannot("read", path));
    Bytes buffer(longest_file + 1);
    const auto length = read_fully(file.get(), buffer);
    if (!length) return err(cannot("read", path));
    if (*length > longest_file) return err(fmt::format("{} is longer than {} bytes", path.string(), longest_file));
    return std::string(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*length));
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// A temporary file that is renamed once it is complete, and removed otherwise.
class Draft {
public:
    explicit Draft(const fs::path& folder)
        : path_((folder / ".apikeys-XXXXXX").string()),
          file_(::mkostemp(path_.data(), O_CLOEXEC)) {}  // with mode 0600
    ~Draft() {
        if (file_) ::unlink(path_.c_str());  // after publishing, the name no longer exists
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    /// Keeps owner and mode of the old file, which other users may need to read. False, and errno, on failure.
    [[nodiscard]] bool write(std::string_view text, const fs::path& old) const {
        struct stat is{};
        if (!file_ || !write_fully(file_.get(), as_bytes(text))) return false;
        if (::stat(old.c_str(), &is) == 0) {
            if (::fchmod(file_.get(), is.st_mode & 07777U) != 0) return false;
            if (::fchown(file_.get(), is.st_uid, is.st_gid) != 0 && errno != EPERM) return false;
        }
        return ::fsync(file_.get()) == 0;
    }
    [[nodiscard]] bool publish(const fs::path& name) const { return ::rename(path_.c_str(), name.c_str()) == 0; }

private:
    std::string path_;
    Descriptor file_;
};

}  // namespace

Result<ApiKeys, std::string> read_key_file(const fs::path& path) {
    const auto text = read_text(path);
    if (!text) return err(text.error());
    auto keys = parse_key_file(*text);
    if (!keys) return err(fmt::format("{}: {}", path.string(), keys.error()));
    return *std::move(keys);
}

Status<std::string> edit_key_file(const fs::path& path, const std::function<Status<std::string>(ApiKeys&)>& edit) {
    const auto folder = folder_of(path);
    // Locks the folder, because each change replaces the file.
    const Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock) return err(cannot("opened", folder));
    if (::flock(lock.get(), LOCK_EX) != 0) return err(cannot("locked", folder));

    ApiKeys keys;
    if (::access(path.c_str(), F_OK) == 0) {
        auto read = read_key_file(path);
        if (!read) return err(read.error());
        keys = *std::move(read);
    }
    if (auto edited = edit(keys); !edited) return edited;
    const Draft draft(folder);
    if (!draft.write(format_key_file(keys), path) || !draft.publish(path)) return err(cannot("written", path));
    if (::fsync(lock.get()) != 0) return err(cannot("flushed to disk", path));
    return {};
}

}  // namespace fencepost::api
