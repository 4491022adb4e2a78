// load_keystore_folder: reads all keys of a folder at start-up.
#include <utility>

#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "signers/key_file.hpp"
#include "signers/secret_file.hpp"

namespace fencepost::signers {
namespace {

// Not path::stem(): geth's file names contain dots in the time of day.
std::filesystem::path password_file_of(const std::filesystem::path& key, const PasswordFolder& passwords) {
    auto name = key.filename().string();
    if (name.ends_with(".json")) name.resize(name.size() - std::string_view(".json").size());
    return passwords.folder / (name + ".password");
}

codec::PrivateKey open(const std::filesystem::path& path, const Passwords& passwords) {
    if (const auto* one = std::get_if<Secret>(&passwords)) return or_throw(read_key_file(path, *one));
    const auto own = or_throw(read_secret_file(password_file_of(path, std::get<PasswordFolder>(passwords))));
    return or_throw(read_key_file(path, own));
}

}  // namespace

std::vector<codec::PrivateKey> load_keystore_folder(const std::filesystem::path& folder, const Passwords& passwords) {
    std::vector<codec::PrivateKey> keys;
    for (const auto& listed : or_throw(list_key_files(folder)))
        keys.push_back(open(listed.path, passwords));
    if (keys.empty()) {
        throw StartupError(
            fmt::format("there is no key file in {}; create one with fencepost key new", folder.string()));
    }
    return keys;
}

}  // namespace fencepost::signers
