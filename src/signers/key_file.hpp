// Key files in a folder: written once, whole, for their owner's eyes only, and never over another.
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

/// Writes <address>.json, mode 0600, into the folder, which is made with mode 0700 if it is not there. A folder that
/// already has a key file of this address is left as it is, and that is an error. After a crash there is the whole file
/// or none. Gives its path.
[[nodiscard]] Result<std::filesystem::path, std::string> write_key_file(const std::filesystem::path& folder,
                                                                        const codec::PrivateKey& key,
                                                                        const Secret& password, ScryptCost cost = {});

struct ListedKey {
    std::filesystem::path path;
    std::optional<Address> address;  // nothing: the file keeps it to itself
};

/// The key files of a folder, by name; opens none. Names that start with a dot or end in ".password" are not looked at;
/// anything else that is no key file is an error.
[[nodiscard]] Result<std::vector<ListedKey>, std::string> list_key_files(const std::filesystem::path& folder);

/// Where the passwords of a folder's keys are.
struct PasswordFolder {
    /// The password of x.json, or of x, is the text of x.password in here.
    std::filesystem::path folder;
};
/// One password for all of them, or a folder with one for each.
using Passwords = std::variant<Secret, PasswordFolder>;

/// Every key of the folder. Throws StartupError for the first that cannot be opened, and when there is none: a service
/// that signs for fewer submitters than it was set up for should not start.
[[nodiscard]] std::vector<codec::PrivateKey> load_keystore_folder(const std::filesystem::path& folder,
                                                                  const Passwords& passwords);

}  // namespace fencepost::signers
