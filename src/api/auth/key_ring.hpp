// The API keys that are valid now. A key that is added to or removed from the file takes effect within a second,
// without a restart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "api/auth/key_file.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"

namespace fencepost::api {

/// Belongs to one thread. Reading the file blocks that thread, as long as a small local file takes.
class KeyRing {
public:
    /// Throws StartupError when the file is missing, is malformed, or is writable by all users.
    KeyRing(std::filesystem::path path, Clock& clock, Log& log);

    /// Checks at most once a second whether the file has changed. When it is missing or malformed, logs a warning and
    /// keeps the present keys: a mistake in the editor must not lock all callers out.
    void refresh();

    /// The key with that text; valid until the next refresh(). Takes constant time, whether or not a key matches.
    [[nodiscard]] const ApiKey* find(std::string_view presented) const;

    [[nodiscard]] const ApiKeys& keys() const { return keys_; }
    /// Changes whenever the keys may have changed.
    [[nodiscard]] std::uint64_t generation() const { return generation_; }

private:
    /// Detects a changed file: a replaced file has another inode, an edited one another time or size.
    struct Version {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t size = 0;
        std::int64_t modified = 0;  // nanoseconds
        std::int64_t changed = 0;
        std::uint32_t mode = 0;
        friend bool operator==(const Version&, const Version&) = default;
    };
    [[nodiscard]] std::optional<Version> version() const;
    [[nodiscard]] Status<std::string> load(const Version& version);

    const std::filesystem::path path_;
    Clock& clock_;
    Log& log_;
    ApiKeys keys_;
    std::optional<Version> seen_;
    Instant next_check_;
    std::uint64_t generation_ = 0;
};

}  // namespace fencepost::api
