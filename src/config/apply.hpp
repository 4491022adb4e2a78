// Applies a setting to the struct member of its key, or reports why it cannot.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "config/keys/key.hpp"
#include "config/keys/setting.hpp"

namespace fencepost::config {

/// The error as a message; quotes the value unless it is secret.
[[nodiscard]] inline std::string error_text(const ValueError& error, const KeyInfo& key, const Setting& setting) {
    if (error.is_sentence) return error.what;
    const bool quotable = !key.secret && setting.written.size() == 1;
    return fmt::format("{} {}", quotable ? in_quotes(setting.written.front()) : "the value", error.what);
}

/// False when no key in `keys` has that name.
template <typename Owner>
bool apply(const Keys<Owner>& keys, Owner& owner, std::string_view name, const Setting& setting, Problems& problems) {
    const auto key = std::ranges::find(keys, name, [](const Key<Owner>& candidate) { return candidate.name; });
    if (key == keys.end()) return false;
    if (setting.is_bare && !key->is_switch) {
        problems.push_back(problem_with(setting, "needs a value"));
        return true;
    }
    const auto items = key->is_list && !setting.is_list ? split_at_commas(setting.items.front()) : Items(setting.items);
    if (const auto done = key->set(owner, items); !done) {
        problems.push_back(problem_with(setting, error_text(done.error(), *key, setting)));
    }
    return true;
}

}  // namespace fencepost::config
