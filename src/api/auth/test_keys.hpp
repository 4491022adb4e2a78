// Test helpers for API keys: a manual clock, a log that keeps its lines, and a key file.
#pragma once

#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

#include "api/auth/key_file.hpp"
#include "base/assert.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::api {

class ManualClock final : public Clock {
public:
    [[nodiscard]] Instant monotonic() const override { return now; }
    [[nodiscard]] UnixTime unix_now() const override { return {}; }
    [[nodiscard]] Task<void> sleep_until(Instant /*deadline*/) override { FP_UNREACHABLE(); }
    [[nodiscard]] Task<void> wait_until(Wakeup* /*bell*/, Instant /*deadline*/) override { FP_UNREACHABLE(); }

    Instant now{std::chrono::hours(1)};
};

class RecordingLog final : public Log {
public:
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        std::string line = std::string(name_of(severity)) + ": " + std::string(message);
        for (const auto& field : fields)
            line += "; " + std::string(field.name) + "=" + field.value;
        lines.push_back(std::move(line));
    }
    std::vector<std::string> lines;
};

/// A key file; the text of each key is its name and "-key".
class KeyFile {
public:
    explicit KeyFile(const ApiKeys& keys) { write(format_key_file(keys)); }

    /// Replaces the file, as many editors do.
    void write(std::string_view text) {
        folder_.write("next", text);
        ::chmod((folder_.path() / "next").c_str(), S_IRUSR | S_IWUSR);
        std::filesystem::rename(folder_.path() / "next", path());
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "keys.yaml"; }

    [[nodiscard]] static ApiKey key(const std::string& name, Scope scope = Scope::read) {
        return {.name = name, .hash = hash_of_api_key(name + "-key"), .scope = scope};
    }

private:
    test::TempFolder folder_;
};

}  // namespace fencepost::api
