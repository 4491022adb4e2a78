// The file of API keys, as YAML, so that a person can read it and a review of its changes makes sense:
//
//     keys:
//       - name: shop
//         sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//         scope: write
//         submitters: ["eip155:1:0x…"]     # left out: all
//         ratePerSecond: 100               # left out: as configured for all keys
//         burst: 200
//         createdAt: 2026-11-16T13:21:04.123456Z
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/auth/api_key.hpp"
#include "base/result.hpp"

namespace fencepost::api {

using ApiKeys = std::vector<ApiKey>;

/// Whatever stands there and is not understood is an error, in a sentence with its line: a key that was meant to be
/// limited must not be unlimited because of a typing mistake.
[[nodiscard]] Result<ApiKeys, std::string> parse_key_file(std::string_view text);
[[nodiscard]] std::string format_key_file(const ApiKeys& keys);

/// The error names the file.
[[nodiscard]] Result<ApiKeys, std::string> read_key_file(const std::filesystem::path& path);

/// Reads, changes and replaces the file as one step, also beside another process that does: it is locked meanwhile, and
/// whoever reads it sees the old or the new one, whole, also after a crash. A file that is not there yet is an empty
/// one, and is made for its owner's eyes only. When `edit` gives an error, nothing is written.
[[nodiscard]] Status<std::string> edit_key_file(const std::filesystem::path& path,
                                                const std::function<Status<std::string>(ApiKeys&)>& edit);

}  // namespace fencepost::api
