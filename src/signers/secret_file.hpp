// Passwords, PINs and tokens that lie in files, one each.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/crypto/secret.hpp"
#include "base/result.hpp"

namespace fencepost::signers {

/// The text of a small file without the line end that editors add. The error is a sentence that names the file; an
/// empty file is one.
[[nodiscard]] Result<Secret, std::string> read_secret_file(const std::filesystem::path& path);

/// The same from an open descriptor, for what is piped in. `name` is for the error.
[[nodiscard]] Result<Secret, std::string> read_secret(int descriptor, std::string_view name);

}  // namespace fencepost::signers
