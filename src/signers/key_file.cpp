// Reads and atomically writes key files.
#include "signers/key_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/descriptor.hpp"

namespace fencepost::signers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_key_file = 65'536;  // a key file has about 500 bytes

std::string cannot(std::string_view verb, const fs::path& path) {
    return fmt::format("{} cannot be {}: {}", path.string(), verb, std::strerror(errno));
}

Result<std::string, std::string> read_text(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return err(cannot("read", path));
    Bytes buffer(max_key_file + 1);
    const auto length = read_fully(file.get(), buffer);
    if (!length) return err(cannot("read", path));
    if (*length > max_key_file) {
        return err(fmt::format("{} is not a key file: it is longer than {} bytes", path.string(), max_key_file));
    }
    return std::string(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*length));
}

std::string explain(const fs::path& path, const KeystoreError& error) {
    const bool damaged = error.kind == KeystoreError::Kind::damaged;
    return fmt::format("the key file {} {}: {}", path.string(), damaged ? "is damaged" : "cannot be used", error.what);
}

bool make_folder(const fs::path& folder) { return ::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST; }

/// A temporary file that gets its final name once it is complete.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& folder)
        : path_((folder / ".new-XXXXXX").string()),
          file_(::mkostemp(path_.data(), O_CLOEXEC)) {}  // with mode 0600
    ~TemporaryFile() {
        if (file_) ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// On failure returns false and sets errno.
    [[nodiscard]] bool write(std::string_view text) const {
        return file_ && write_fully(file_.get(), as_bytes(text)) && ::fsync(file_.get()) == 0;
    }
    /// Unlike a rename, a link fails when the name exists: two concurrent writers cannot overwrite each other.
    [[nodiscard]] bool publish(const fs::path& name) const { return ::link(path_.c_str(), name.c_str()) == 0; }

private:
    std::string path_;
    Descriptor file_;
};

bool sync_folder(const fs::path& folder) {
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return opened && ::fsync(opened.get()) == 0;
}

Status<std::string> write_new(const fs::path& path, std::string_view text) {
    const auto folder = path.parent_path();
    const TemporaryFile draft(folder);
    if (!draft.write(text)) return err(cannot("written", path));
    if (!draft.publish(path)) {
        if (errno == EEXIST) return err(fmt::format("{} already exists; left unchanged", path.string()));
        return err(cannot("written", path));
    }
    if (!sync_folder(folder)) return err(cannot("written to disk", path));
    return {};
}

/// Under any name: wallets name files differently.
Status<std::string> check_no_key_of(const Address& address, const fs::path& folder) {
    const auto keys = list_key_files(folder);
    if (!keys) return err(keys.error());
    const auto same = std::ranges::find(*keys, address, &ListedKey::address);
    if (same == keys->end()) return {};
    return err(
        fmt::format("{} already holds the key of {}; left unchanged", same->path.string(), address.to_checksum()));
}

bool is_candidate(const fs::path& path) {
    const auto name = path.filename().string();
    return !name.starts_with('.') && !name.ends_with(".password");
}

}  // namespace

Result<codec::PrivateKey, std::string> read_key_file(const fs::path& path, const Secret& password) {
    const auto text = read_text(path);
    if (!text) return err(text.error());
    auto key = open_keystore(*text, password);
    if (!key) return err(explain(path, key.error()));
    return *std::move(key);
}

Result<fs::path, std::string> write_key_file(const fs::path& folder, const codec::PrivateKey& key,
                                             const Secret& password, ScryptCost cost) {
    if (password.empty()) return err(std::string("the password is empty"));
    if (!make_folder(folder)) return err(cannot("made", folder));
    if (auto none = check_no_key_of(key.address(), folder); !none) return err(none.error());
    auto path = folder / (key.address().to_lower() + ".json");
    if (auto written = write_new(path, seal_keystore(key, password, cost)); !written) return err(written.error());
    return path;
}

Result<std::vector<ListedKey>, std::string> list_key_files(const fs::path& folder) {
    std::error_code failure;
    std::vector<ListedKey> keys;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        if (!is_candidate(entry->path())) continue;
        const auto text = read_text(entry->path());
        if (!text) return err(text.error());
        auto address = address_in_keystore(*text);
        if (!address) return err(explain(entry->path(), address.error()));
        keys.push_back({entry->path(), *address});
    }
    if (failure) return err(fmt::format("{} cannot be read: {}", folder.string(), failure.message()));
    std::ranges::sort(keys, {}, &ListedKey::path);
    return keys;
}

}  // namespace fencepost::signers
