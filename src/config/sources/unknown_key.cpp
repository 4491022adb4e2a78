#include "config/sources/unknown_key.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text/nearest.hpp"

namespace fencepost::config {
namespace {

std::vector<std::string> names_in(Scope scope) {
    std::vector<std::string> names;
    for (const auto& key : keys_in(scope))
        names.push_back(key.name);
    return names;
}

bool is_key_in(Scope scope, std::string_view name) {
    const auto& keys = keys_in(scope);
    return std::ranges::find(keys, name, &KeyInfo::name) != keys.end();
}

/// Corrects "chain.main.id" to "chains.main.id".
std::optional<std::string> meant_map(std::string_view path) {
    const auto dot = path.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    static const std::vector<std::string> maps{"chains", "submitters", "signers"};
    const auto map = nearest(path.substr(0, dot), maps);
    if (!map) return std::nullopt;
    auto meant = *map + std::string(path.substr(dot));
    const auto at = locate(meant);
    return is_key_in(at.scope, at.key) ? std::optional(std::move(meant)) : std::nullopt;
}

}  // namespace

Problem unknown_key(const Setting& setting, const Location& at) {
    if (auto reason = unsupported_key_reason(at.key)) return problem_with(setting, *reason);
    const auto names = names_in(at.scope);
    const auto member = std::ranges::find_if(
        names, [&](const std::string& name) { return at.key.empty() || name.starts_with(at.key + "."); });
    const auto before = setting.path.substr(0, setting.path.size() - at.key.size());
    const auto full = [&](const std::string& key) {
        return before.empty() || before.ends_with('.') ? before + key : before + "." + key;
    };
    if (member != names.end()) {
        return problem_with(setting, fmt::format("is a group of keys, such as {}", in_quotes(full(*member))));
    }
    if (at.scope != Scope::top && is_key_in(Scope::top, at.key)) {
        return problem_with(setting, fmt::format("is a key of the whole service: write {} at the top level", at.key));
    }
    auto meant = nearest(at.key, names);
    if (meant) meant = full(*meant);
    if (at.scope == Scope::top) {
        if (auto map = meant_map(at.key)) meant = std::move(map);
    }
    if (!meant) return problem_with(setting, "unknown key");
    const auto* const dashes = setting.place.origin == Place::Origin::flag ? "--" : "";
    return problem_with(setting, fmt::format("unknown key; did you mean {}{}?", dashes, *meant));
}

}  // namespace fencepost::config
