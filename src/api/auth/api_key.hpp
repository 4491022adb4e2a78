// API keys authenticate callers. A key is 256 random bits, so it cannot be guessed, and a plain SHA-256 of it is as
// safe as a slow password hash: the key file reveals no key.
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

/// One entry of the key file.
struct ApiKey {
    std::string name;  // written to the audit log
    Sha256 hash{};
    Scope scope = Scope::read;
    /// None: all submitters.
    std::optional<std::vector<SubmitterId>> submitters{};
    /// None: the limit that is configured for all keys.
    std::optional<RateLimit> rate{};
    std::string created_at{};  // RFC 3339, for people

    friend bool operator==(const ApiKey&, const ApiKey&) = default;
};

/// "fp_" and 64 hexadecimal digits. Secret scanners recognise the prefix.
[[nodiscard]] Secret generate_api_key();

[[nodiscard]] Sha256 hash_of_api_key(std::string_view key);

/// Letters, digits, dots, dashes and underscores, at most 64: the name is written to logs, files and terminals.
[[nodiscard]] bool is_key_name(std::string_view name);

}  // namespace fencepost::api
