#include "purity.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <span>

#include <fmt/format.h>

#include "cpp_text.hpp"
#include "includes.hpp"
#include "modules.hpp"

namespace fencepost::tidy {
namespace {

using NameList = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> core{"domain", "ports", "lane", "cluster"};
constexpr std::array<std::string_view, 3> lock_free{"domain", "lane", "cluster"};
constexpr std::array<std::string_view, 14> technologies{
    "libpq",      "pqxx",    "postgresql", "sqlite3",  "boost/beast", "boost/json", "openssl",
    "librdkafka", "hiredis", "curl",       "yaml-cpp", "prometheus",  "botan",      "secp256k1"};
constexpr std::array<std::string_view, 1> asio{"boost/asio"};
// Tests in these folders use real databases, chains and processes; all other tests are repeatable.
constexpr std::array<std::string_view, 4> real_system_tests{"tests/contract/", "tests/race/", "tests/integration/",
                                                            "tests/chaos/"};

bool contains(NameList words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }
bool starts_with_any(std::string_view text, NameList prefixes) {
    return std::ranges::any_of(prefixes, [text](auto prefix) { return text.starts_with(prefix); });
}

/// The first header with one of the prefixes that an include of `path` leads to, directly or through project headers.
std::string reachable_header(const SourceTree& tree, const std::string& path, const Include& include, NameList prefixes,
                             std::set<std::string>& seen) {
    if (starts_with_any(include.name, prefixes)) return include.name;
    const auto header = resolve(tree, path, include.name);
    if (!header || !seen.insert(*header).second) return {};
    for (const auto& next : includes_of(tree.at(*header))) {
        if (auto found = reachable_header(tree, *header, next, prefixes, seen); !found.empty()) return found;
    }
    return {};
}

Findings reachable_headers(const SourceTree& tree, const std::string& path, NameList prefixes,
                           std::string_view advice) {
    Findings findings;
    for (const auto& include : includes_of(tree.at(path))) {
        std::set<std::string> seen;
        const auto header = reachable_header(tree, path, include, prefixes, seen);
        if (header.empty()) continue;
        const auto how = header == include.name ? "" : fmt::format(" through \"{}\"", include.name);
        findings.push_back(
            {path, include.line,
             fmt::format("Module {} must not include <{}>{}: {}", module_of(path), header, how, advice)});
    }
    return findings;
}

Findings matches(const SourceFile& file, const std::regex& pattern, std::string_view advice) {
    const std::string code = code_only(file.text);
    Findings findings;
    std::size_t number = 0;
    for (const auto line : lines_of(code)) {
        ++number;
        std::match_results<std::string_view::const_iterator> match;
        if (!std::regex_search(line.begin(), line.end(), match, pattern)) continue;
        findings.push_back({file.path, number, fmt::format("No {} here: {}", match[0].str(), advice)});
    }
    return findings;
}

bool may_use_the_system(std::string_view path) {
    return is_adapter(module_of(path)) || path.starts_with("apps/") || path.starts_with("bench/") ||
           starts_with_any(path, real_system_tests);
}

}  // namespace

Findings technology_in_the_core(const SourceTree& tree) {
    Findings all;
    const auto add = [&all](const Findings& found) { all.insert(all.end(), found.begin(), found.end()); };
    for (const auto& [path, text] : tree) {
        if (!is_cpp(path) || !contains(core, module_of(path))) continue;
        add(reachable_headers(tree, path, technologies, "databases, HTTP and RPC belong in adapters, behind ports."));
        if (module_of(path) != "domain") continue;
        add(reachable_headers(tree, path, asio,
                              "domain is pure types and rules; code that waits belongs in a port or a lane."));
    }
    return all;
}

Findings coroutines_in_domain(const SourceFile& file) {
    static const std::regex keyword(R"(\bco_(await|return|yield)\b)");
    if (!is_cpp(file.path) || module_of(file.path) != "domain") return {};
    return matches(file, keyword, "domain is plain functions; code that waits belongs in a lane.");
}

Findings hidden_inputs(const SourceFile& file) {
    // A clock's time_point is only a type; any other use of the clock's name reads it or creates an alias for it.
    static const std::regex input(
        R"(\b(system|steady|utc|tai|gps|file)_clock\b(?!\s*::\s*(time_point|duration)\b))"
        R"(|\bhigh_resolution_clock\b|\btime\s*\(\s*(nullptr|NULL|0|&)|\b(gettimeofday|clock_gettime)\b)"
        R"(|\b(localtime|gmtime)(_r)?\b|\brandom_device\b|\bs?rand\s*\(|\bstd::(thread|jthread|async)\b)"
        R"(|\bthis_thread::sleep|\bthread_pool\b|\b(secure_)?getenv\b)"
        R"(|\b(steady|system|deadline|high_resolution)_timer\b|\bbasic_waitable_timer\b)");
    if (!is_cpp(file.path) || may_use_the_system(file.path)) return {};
    return matches(file, input,
                   "take time and randomness through the Clock and Random ports, and leave threads and the "
                   "environment to apps, otherwise a simulated run is not a function of its seed.");
}

Findings locks_in_the_core(const SourceFile& file) {
    static const std::regex lock(
        R"(\bstd::((recursive_|shared_|timed_|recursive_timed_|shared_timed_)?mutex|lock_guard|unique_lock|scoped_lock)"
        R"(|shared_lock|condition_variable(_any)?)\b)");
    if (!is_cpp(file.path) || !contains(lock_free, module_of(file.path))) return {};
    return matches(file, lock, "one thread owns a shard; blocking work leaves through a port.");
}

Findings detached_tasks(const SourceFile& file) {
    static const std::regex detached(R"(\basio::detached\b|\bdetached_t\b|<boost/asio/detached\.hpp>)");
    if (!is_cpp(file.path)) return {};
    return matches(file, detached, "spawn the task in a TaskGroup, which cancels and joins it.");
}

}  // namespace fencepost::tidy
