// Parses plain keys without quoting them in errors.
#include "signers/dev_keys.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::signers {
namespace {

constexpr std::string_view separators = ", \t\r\n";

std::string_view take_word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(separators), rest.size()));
    const auto word = rest.substr(0, rest.find_first_of(separators));
    rest.remove_prefix(word.size());
    return word;
}

}  // namespace

std::vector<codec::PrivateKey> dev_keys(const Secret& text, bool dev) {
    if (!dev) {
        throw StartupError(
            "plain keys are for development and are refused without --dev; keep keys in key files (fencepost key "
            "import), in an HSM or in a remote signer");
    }
    std::vector<codec::PrivateKey> keys;
    auto rest = text.expose();
    for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) {
        auto key = codec::PrivateKey::from_hex(word);
        if (!key) {
            throw StartupError(fmt::format(
                "plain key number {} is not a key: write 64 hexadecimal digits (not repeated here)", keys.size() + 1));
        }
        keys.push_back(*std::move(key));
    }
    if (keys.empty()) throw StartupError("plain keys are configured, but the list is empty");
    return keys;
}

}  // namespace fencepost::signers
