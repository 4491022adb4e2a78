#include "config/sources/path.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"

namespace fencepost::config {
namespace {

/// Takes the part up to the next dot off `rest`.
std::string_view take_part(std::string_view& rest) {
    const auto dot = std::min(rest.find('.'), rest.size());
    const auto part = rest.substr(0, dot);
    rest.remove_prefix(std::min(dot + 1, rest.size()));
    return part;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string_view map_of(Scope scope) {
    switch (scope) {
        case Scope::top:
            return "";
        case Scope::chain:
            return "chains";
        case Scope::endpoint:
            return "endpoints";
        case Scope::submitter:
            return "submitters";
        case Scope::signer:
            return "signers";
    }
    FP_UNREACHABLE();
}

Location locate(std::string_view path) {
    auto rest = path;
    const auto first = take_part(rest);
    for (const auto scope : {Scope::chain, Scope::submitter, Scope::signer}) {
        if (first != map_of(scope)) continue;
        Location location{.scope = scope, .entry = std::string(take_part(rest)), .key = std::string(rest)};
        if (scope != Scope::chain || take_part(rest) != map_of(Scope::endpoint)) return location;
        location.scope = Scope::endpoint;
        location.endpoint = take_part(rest);
        location.key = rest;
        return location;
    }
    return {.key = std::string(path)};
}

std::string variable_part(std::string_view name) {
    std::string result;
    for (const char c : name) {
        if (is_upper(c)) result.push_back('_');
        result.push_back(c == '.' || c == '-' ? '_' : to_upper(c));
    }
    return result;
}

bool is_entry_name(std::string_view name) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= 63 && std::ranges::all_of(name, allowed);
}

}  // namespace fencepost::config
