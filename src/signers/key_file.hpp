// Key files in a folder: written atomically, readable by their owner only, and never overwritten.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/crypto/secret.hpp"
#include "base/result.hpp"
#include "codec/signature.hpp"
#include "signers/keystore.hpp"

namespace fencepost::signers {

/// Errors are sentences that name the file, free of keys and passwords.
[[nodiscard]] Result<codec::PrivateKey, std::string> read_key_file(const std::filesystem::path& path,
                                                                   const Secret& password);

/// Writes <address>.json with mode 0600; creates the folder with mode 0700 if needed. It is an error when the folder
/// already has a key file for this address; that file is left unchanged. After a crash there is the complete file or
/// none. Returns the path.
[[nodiscard]] Result<std::filesystem::path, std::string> write_key_file(const std::filesystem::path& folder,
                                                                        const codec::PrivateKey& key,
                                                                        const Secret& password, ScryptCost cost = {});

struct ListedKey {
    std::filesystem::path path;
    std::optional<Address> address;  // empty: the file does not contain it
};

/// The key files of a folder, by name; opens none. Ignores names that start with a dot or end in ".password"; any other
/// file that is not a key file is an error.
[[nodiscard]] Result<std::vector<ListedKey>, std::string> list_key_files(const std::filesystem::path& folder);

/// Where the passwords of a folder's keys are.
struct PasswordFolder {
    /// The password of x.json, or of x, is the content of x.password in this folder.
    std::filesystem::path folder;
};
/// One password for all keys, or a folder with one for each.
using Passwords = std::variant<Secret, PasswordFolder>;

/// All keys of the folder. Throws StartupError for the first that cannot be opened, and when there is none: a service
/// must not start with fewer keys than it was set up for.
[[nodiscard]] std::vector<codec::PrivateKey> load_keystore_folder(const std::filesystem::path& folder,
                                                                  const Passwords& passwords);

}  // namespace fencepost::signers
