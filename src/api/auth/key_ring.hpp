// The API keys that are valid now. A key that is added to or taken out of the file counts within a second, without a
// restart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "api/auth/key_file.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"

namespace fencepost::api {

/// Belongs to one thread. Looking at the file blocks it for as long as a small local file takes.
class KeyRing {
public:
    /// Throws StartupError when the file is not there, cannot be understood, or can be written by everybody.
    KeyRing(std::filesystem::path path, Clock& clock, Log& log);

    /// Looks whether the file has changed, once a second at most. A file that is gone or cannot be understood is warned
    /// of, and the keys stay as they were: a mistake in the editor must not lock everybody out.
    void refresh();

    /// The key with that text; valid until the next refresh(). Takes as long whichever it is, or none.
    [[nodiscard]] const ApiKey* find(std::string_view presented) const;

    [[nodiscard]] const ApiKeys& keys() const { return keys_; }
    /// Another number whenever the keys may have changed.
    [[nodiscard]] std::uint64_t generation() const { return generation_; }

private:
    /// By which a changed file is known: a replaced one has another inode, an edited one another time or size.
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
    Instant next_look_;
    std::uint64_t generation_ = 0;
};

}  // namespace fencepost::api
