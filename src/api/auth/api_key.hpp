// API keys: how a program shows who it is. A key is 256 bits from the kernel, so it cannot be guessed, and its SHA-256
// is as good as a slow password hash would be: whoever reads the file of keys learns none of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/auth/caller.hpp"
#include "api/auth/rate_limit.hpp"
#include "base/crypto/secret.hpp"
#include "base/crypto/sha256.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::api {

/// What is on record of a key.
struct ApiKey {
    std::string name;  // stands in the audit
    Sha256 hash{};
    Scope scope = Scope::read;
    /// None: all of them.
    std::optional<std::vector<SubmitterId>> submitters{};
    /// None: as configured for all keys.
    std::optional<RateLimit> rate{};
    std::string created_at{};  // RFC 3339, for people

    friend bool operator==(const ApiKey&, const ApiKey&) = default;
};

/// "fp_" and 64 hexadecimal digits. Programs that search code for leaked secrets know them by the prefix.
[[nodiscard]] Secret generate_api_key();

[[nodiscard]] Sha256 hash_of_api_key(std::string_view key);

/// Letters, digits, dots, dashes and underscores, 64 of them at most: it is written to logs, files and terminals.
[[nodiscard]] bool is_key_name(std::string_view name);

}  // namespace fencepost::api
