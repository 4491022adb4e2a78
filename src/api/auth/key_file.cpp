#include "api/auth/key_file.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <yaml-cpp/yaml.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/hex.hpp"

namespace fencepost::api {
namespace {

// Used inside this file only; it passes through the YAML library's callers.
struct KeyFileError {
    YAML::Mark where;
    std::string what;
};

[[noreturn]] void refuse(const YAML::Node& node, std::string what) { throw KeyFileError{node.Mark(), std::move(what)}; }

std::string text_of(const YAML::Node& node, std::string_view field) {
    if (!node.IsScalar() || node.Scalar().empty()) refuse(node, fmt::format("{} must be a string", field));
    return node.Scalar();
}

double number_of(const YAML::Node& node, std::string_view field, double least) {
    constexpr double most = 1e6;
    double number = 0;
    const bool is_number = node.IsScalar() && YAML::convert<double>::decode(node, number);
    const bool is_within = number >= least && number <= most;  // which NaN is not
    if (!is_number || !is_within) {
        refuse(node, fmt::format("{} must be a number from {} to {}", field, least, most));
    }
    return number;
}

Sha256 hash_of(const YAML::Node& node) {
    const auto bytes = from_hex(text_of(node, "sha256"));
    const auto hash = bytes ? Sha256::from(*bytes) : std::nullopt;
    if (!hash) refuse(node, "sha256 must be 64 hexadecimal digits");
    return Sha256{*hash};
}

Scope scope_of(const YAML::Node& node) {
    const auto scope = value_of<Scope>(text_of(node, "scope"));
    if (!scope) refuse(node, "scope must be read, write or admin");
    return *scope;
}

std::vector<SubmitterId> submitters_of(const YAML::Node& node) {
    if (!node.IsSequence() || node.size() == 0) {
        refuse(node, "submitters must be a list of at least one; leave it out to allow all");
    }
    std::vector<SubmitterId> submitters;
    for (const auto& entry : node) {
        auto submitter = SubmitterId::parse(text_of(entry, "a submitter"));
        if (!submitter) refuse(entry, submitter.error().what);
        submitters.push_back(*std::move(submitter));
    }
    return submitters;
}

void read_field(ApiKey& key, RateLimit& rate, const std::string& field, const YAML::Node& value) {
    constexpr double slowest = 0.001;
    if (field == "name") {
        key.name = text_of(value, field);
        if (!is_key_name(key.name))
            refuse(value, "name may have letters, digits, dots, dashes and underscores, up to 64");
    } else if (field == "sha256") {
        key.hash = hash_of(value);
    } else if (field == "scope") {
        key.scope = scope_of(value);
    } else if (field == "submitters") {
        key.submitters = submitters_of(value);
    } else if (field == "ratePerSecond") {
        rate.per_second = number_of(value, field, slowest);
    } else if (field == "burst") {
        rate.burst = number_of(value, field, 1);
    } else if (field == "createdAt") {
        key.created_at = text_of(value, field);
    } else {
        refuse(value, fmt::format("unknown field \"{}\": a key has name, sha256, scope, submitters, ratePerSecond, "
                                  "burst and createdAt",
                                  field));
    }
}

ApiKey read_key(const YAML::Node& node) {
    if (!node.IsMap()) refuse(node, "a key must have fields, such as name and sha256");
    ApiKey key;
    RateLimit rate;
    std::set<std::string> given;
    for (const auto& field : node) {
        const auto name = text_of(field.first, "a field");
        if (!given.insert(name).second) refuse(field.first, fmt::format("{} occurs twice", name));
        read_field(key, rate, name, field.second);
    }
    for (const auto* const needed : {"name", "sha256", "scope"}) {
        if (!given.contains(needed)) refuse(node, fmt::format("a key needs a {}", needed));
    }
    if (given.contains("burst") && !given.contains("ratePerSecond")) refuse(node, "burst needs a ratePerSecond");
    if (given.contains("ratePerSecond")) {
        if (!given.contains("burst")) rate.burst = std::max(1.0, 2 * rate.per_second);
        key.rate = rate;
    }
    return key;
}

ApiKeys read_document(const YAML::Node& document) {
    if (document.IsNull()) return {};
    if (!document.IsMap() || document.size() != 1 || !document["keys"]) {
        refuse(document, "the top level must hold \"keys:\" and nothing else");
    }
    const auto& list = document["keys"];
    if (list.IsNull()) return {};
    if (!list.IsSequence()) refuse(list, "keys must be a list");
    ApiKeys keys;
    for (const auto& entry : list) {
        auto key = read_key(entry);
        const auto same = [&key](const ApiKey& other) { return other.name == key.name || other.hash == key.hash; };
        if (std::ranges::any_of(keys, same)) refuse(entry, "an earlier key has the same name or sha256");
        keys.push_back(std::move(key));
    }
    return keys;
}

std::string at(const YAML::Mark& mark, std::string_view what) {
    return mark.is_null() ? std::string(what) : fmt::format("line {}: {}", mark.line + 1, what);
}

}  // namespace

Result<ApiKeys, std::string> parse_key_file(std::string_view text) {
    try {
        return read_document(YAML::Load(std::string(text)));
    } catch (const KeyFileError& error) {
        return err(at(error.where, error.what));
    } catch (const YAML::Exception& error) {
        return err(at(error.mark, error.msg));
    }
}

std::string format_key_file(const ApiKeys& keys) {
    std::string text =
        "# API keys of Fencepost. The file holds only their SHA-256, so a reader cannot use them.\n"
        "# Written by `fencepost apikey`, which removes comments.\n"
        "keys:\n";
    auto out = std::back_inserter(text);
    for (const auto& key : keys) {
        fmt::format_to(out, "  - name: \"{}\"\n    sha256: {}\n    scope: {}\n", key.name, to_hex(key.hash.view()),
                       name_of(key.scope));
        if (key.submitters) {
            std::vector<std::string> quoted;
            for (const auto& submitter : *key.submitters)
                quoted.push_back(fmt::format("\"{}\"", submitter.to_string()));
            fmt::format_to(out, "    submitters: [{}]\n", fmt::join(quoted, ", "));
        }
        if (key.rate)
            fmt::format_to(out, "    ratePerSecond: {}\n    burst: {}\n", key.rate->per_second, key.rate->burst);
        if (!key.created_at.empty()) fmt::format_to(out, "    createdAt: \"{}\"\n", key.created_at);
    }
    return text;
}

}  // namespace fencepost::api
