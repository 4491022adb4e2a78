// The file of API keys. It is YAML, so that it is easy to read and its changes are easy to review:
//
//     keys:
//       - name: shop
//         sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//         scope: write
//         submitters: ["eip155:1:0x…"]     # default: all
//         ratePerSecond: 100               # default: the limit for all keys
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

/// Every unknown or malformed entry is an error, a sentence with its line: a typing mistake must not turn a limited key
/// into an unlimited one.
[[nodiscard]] Result<ApiKeys, std::string> parse_key_file(std::string_view text);
[[nodiscard]] std::string format_key_file(const ApiKeys& keys);

/// The error names the file.
[[nodiscard]] Result<ApiKeys, std::string> read_key_file(const std::filesystem::path& path);

/// Reads, edits and replaces the file as one step, also when another process does so at the same time. The file is
/// locked meanwhile; a reader sees the old or the new file, never a part of one, also after a crash. A missing file
/// counts as empty and is created readable by its owner only. When `edit` returns an error, nothing is written.
[[nodiscard]] Status<std::string> edit_key_file(const std::filesystem::path& path,
                                                const std::function<Status<std::string>(ApiKeys&)>& edit);

}  // namespace fencepost::api
