#include "config/sources/variables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text/nearest.hpp"
#include "config/sources/path.hpp"

namespace fencepost::config {
namespace {

constexpr std::string_view prefix = "FENCEPOST_";

using Paths = std::map<std::string, std::string, std::less<>>;  // by the variable's name, without the prefix

// Variables that are not keys: the file's name, the options of the CLI, and what Kubernetes sets for a service.
bool is_not_a_key(std::string_view name) {
    return name == "CONFIG" || name == "URL" || name == "API_KEY" || name.starts_with("SERVICE_") || name == "PORT" ||
           name.starts_with("PORT_");
}

void add_keys(Paths& paths, Scope scope, const std::string& before) {
    for (const auto& key : keys_in(scope))
        paths.emplace(variable_part(before + key.name), before + key.name);
}

std::string entry_path(const Location& at) {
    const auto chain_or_other = at.scope == Scope::endpoint ? Scope::chain : at.scope;
    auto path = fmt::format("{}.{}.", map_of(chain_or_other), at.entry);
    if (at.scope == Scope::endpoint) path += fmt::format("{}.{}.", map_of(at.scope), at.endpoint);
    return path;
}

/// The path of every global key, and of every key in an existing entry.
Paths paths_of(const Settings& known) {
    Paths paths;
    add_keys(paths, Scope::top, "");
    std::set<std::string> seen;
    for (const auto& setting : known) {
        auto at = locate(setting.path);
        for (const auto scope : {at.scope, Scope::chain}) {
            if (at.scope == Scope::top || (scope != at.scope && at.scope != Scope::endpoint)) continue;
            const Location entry{.scope = scope, .entry = at.entry, .endpoint = at.endpoint};
            if (const auto path = entry_path(entry); seen.insert(path).second) add_keys(paths, scope, path);
        }
    }
    return paths;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

/// CHAINS_MAIN_ID → MAIN, leaving ID; none when it is not about that map.
std::optional<std::string> take_entry(std::string_view& name, Scope scope) {
    const auto map = variable_part(map_of(scope)) + "_";
    if (!name.starts_with(map)) return std::nullopt;
    const auto end = name.find('_', map.size());
    if (end == std::string_view::npos) return std::nullopt;
    auto entry = lower(name.substr(map.size(), end - map.size()));
    name.remove_prefix(end + 1);
    return entry;
}

/// The path of a variable about an entry that no other source names.
std::optional<std::string> path_of_new_entry(std::string_view name) {
    for (const auto scope : {Scope::chain, Scope::submitter, Scope::signer}) {
        auto rest = name;
        const auto entry = take_entry(rest, scope);
        if (!entry) continue;
        Location at{.scope = scope, .entry = *entry};
        if (scope == Scope::chain) {
            if (const auto endpoint = take_entry(rest, Scope::endpoint)) {
                at = {.scope = Scope::endpoint, .entry = *entry, .endpoint = *endpoint};
            }
        }
        Paths paths;
        add_keys(paths, at.scope, entry_path(at));
        const auto found = paths.find(variable_part(entry_path(at)) + std::string(rest));
        return found == paths.end() ? std::nullopt : std::optional(found->second);
    }
    return std::nullopt;
}

Problem unknown(const Place& place, std::string_view name, const Paths& paths) {
    std::vector<std::string> names;
    for (const auto& [candidate, path] : paths)
        names.push_back(candidate);
    const auto meant = nearest(name, names);
    const auto hint = meant ? fmt::format("; did you mean {}{}?", prefix, *meant) : "";
    return problem_at(place, fmt::format("unknown key{}", hint));
}

}  // namespace

Variables read_variables(const Environment& environment, const Settings& known, const std::set<std::string>& used) {
    Variables variables;
    const auto paths = paths_of(known);
    for (const auto& [variable, value] : environment) {
        if (!variable.starts_with(prefix) || used.contains(variable)) continue;
        const auto name = std::string_view(variable).substr(prefix.size());
        if (is_not_a_key(name)) continue;
        const Place place{.origin = Place::Origin::variable, .name = variable};
        const auto found = paths.find(name);
        const auto path = found != paths.end() ? std::optional(found->second) : path_of_new_entry(name);
        if (!path) {
            variables.problems.push_back(unknown(place, name, paths));
            continue;
        }
        variables.settings.push_back({.path = *path, .items = {value}, .written = {value}, .place = place});
    }
    return variables;
}

}  // namespace fencepost::config
