// Reads passwords, PINs and tokens from files, one secret per file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/crypto/secret.hpp"
#include "base/result.hpp"

namespace fencepost::signers {

/// The content of a small file without the trailing newline that editors add. The error is a sentence that names the
/// file; an empty file is an error.
[[nodiscard]] Result<Secret, std::string> read_secret_file(const std::filesystem::path& path);

/// The same from an open descriptor, for piped input. `name` is for the error message.
[[nodiscard]] Result<Secret, std::string> read_secret(int descriptor, std::string_view name);

}  // namespace fencepost::signers
