#include "config/print.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/sources/path.hpp"

namespace fencepost::config {
namespace {

namespace json = boost::json;

bool is_plain(std::string_view text) {
    const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
    if (text.empty() || !word(text.front()) || !word(text.back())) return false;
    if (text == "null" || text == "Null" || text == "NULL") return false;
    return std::ranges::all_of(
        text, [&](char c) { return word(c) || std::string_view(" ._/-").find(c) != std::string_view::npos; });
}

/// As YAML, quoted where it might be read as ${NAME} or another type.
std::string yaml(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            result += c == '$' ? "$$" : std::string(1, c);
        }
    }
    return result + "\"";
}

std::string yaml(const KeyInfo& key, const Items& items) {
    if (!key.is_list) return yaml(items.front());
    std::vector<std::string> texts;
    for (const auto& item : items)
        texts.push_back(yaml(item));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// A tree of keys, so that a group with members in several tables is printed once.
struct Branch {
    std::string name{};
    std::string value{};
    std::vector<Branch> branches{};
};

void put(Branch& tree, std::string_view path, std::string value) {
    auto* branch = &tree;
    while (!path.empty()) {
        const auto dot = std::min(path.find('.'), path.size());
        const auto name = path.substr(0, dot);
        path.remove_prefix(std::min(dot + 1, path.size()));
        const auto found = std::ranges::find(branch->branches, name, &Branch::name);
        branch = found != branch->branches.end() ? &*found
                                                 : &branch->branches.emplace_back(Branch{.name = std::string(name)});
    }
    branch->value = std::move(value);
}

void write(const Branch& branch, std::size_t depth, std::string& out) {
    for (const auto& below : branch.branches) {
        out += fmt::format("{:{}}{}:", "", depth * 2, below.name);
        out += below.branches.empty() ? fmt::format(" {}\n", below.value) : "\n";
        write(below, depth + 1, out);
    }
}

const Setting* setting_of(const Settings& settings, std::string_view path) {
    const auto found = std::ranges::find(settings, path, &Setting::path);
    return found == settings.end() ? nullptr : &*found;
}

/// A key with a value.
struct EffectiveKey {
    std::string path;
    const KeyInfo* key;
    Items items;
    const Setting* set;  // null: the default

    [[nodiscard]] bool is_hidden() const { return set != nullptr && key->secret && items != key->default_value; }
};

template <typename Owner>
void add_effective_keys(std::vector<EffectiveKey>& all, const Keys<Owner>& keys, const Owner& owner,
                        const Settings& settings) {
    for (const auto& key : keys) {
        auto items = key.show(owner);
        if (items.empty()) continue;
        all.push_back(
            {.path = key.name, .key = &key, .items = std::move(items), .set = setting_of(settings, key.name)});
    }
}

std::vector<EffectiveKey> effective_keys(const Loaded& loaded) {
    std::vector<EffectiveKey> all;
    add_effective_keys(all, service_keys(), loaded.config, loaded.settings);
    add_effective_keys(all, chain_keys(), loaded.config.chain, loaded.settings);
    add_effective_keys(all, lane_keys(), loaded.config.lane, loaded.settings);
    for (const auto& setting : loaded.settings) {
        const auto at = locate(setting.path);
        const auto& keys = keys_in(at.scope);
        const auto key = std::ranges::find(keys, at.key, &KeyInfo::name);
        if (at.scope == Scope::top || key == keys.end()) continue;
        all.push_back({.path = setting.path, .key = &*key, .items = setting.items, .set = &setting});
    }
    return all;
}

std::string line(const EffectiveKey& one) {
    const auto value = one.is_hidden() ? std::string("(hidden)") : yaml(*one.key, one.items);
    return one.set == nullptr ? value : fmt::format("{}  # {}", value, one.set->place.to_string());
}

json::value value_of(const EffectiveKey& one) {
    if (one.is_hidden()) return nullptr;
    if (!one.key->is_list) return json::value(one.items.front());
    return json::array(one.items.begin(), one.items.end());
}

}  // namespace

std::string print(const Loaded& loaded) {
    Branch tree;
    for (const auto& one : effective_keys(loaded))
        put(tree, one.path, line(one));
    std::string out;
    write(tree, 0, out);
    return out;
}

std::string print_json(const Loaded& loaded) {
    json::array items;
    for (const auto& one : effective_keys(loaded)) {
        items.push_back(json::object{{"key", one.path},
                                     {"value", value_of(one)},
                                     {"hidden", one.is_hidden()},
                                     {"from", one.set ? json::value(one.set->place.to_string()) : json::value()}});
    }
    return json::serialize(json::object{{"items", std::move(items)}, {"next", nullptr}}) + "\n";
}

}  // namespace fencepost::config
