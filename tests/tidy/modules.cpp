#include "modules.hpp"

#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "includes.hpp"

namespace fencepost::tidy {
namespace {

using Names = std::set<std::string, std::less<>>;

const Names adapters{"evm", "signers", "store", "http", "events", "telemetry", "system", "alerts", "hooks"};

// Each module and the modules it may include besides itself (ARCHITECTURE.md draws the picture).
const std::map<std::string, Names, std::less<>>& allowed_edges() {
    static const auto table = [] {
        std::map<std::string, Names, std::less<>> edges{
            {"base", {}},
            {"domain", {"base"}},
            {"ports", {"base", "domain"}},
            {"lane", {"base", "domain", "ports", "relaxed"}},
            {"cluster", {"base", "domain", "ports", "relaxed", "lane"}},
            {"relaxed", {"base", "domain", "ports"}},
        };
        for (const auto& adapter : adapters)
            edges[adapter] = {"base", "domain", "ports"};
        // Shared by evm and signers, which must not include each other.
        edges["codec"] = {"base", "domain", "ports"};
        edges["jsonrpc"] = {"base", "ports"};
        for (const auto* adapter : {"evm", "signers"})
            edges[adapter].insert({"codec", "jsonrpc"});
        // The service's requests and answers, on top of the HTTP server.
        edges["api"] = {"base", "domain", "ports", "codec", "http"};
        // It collects the options of every module for the composition root.
        Names parts;
        for (const auto& [module, allowed] : edges)
            parts.insert(module);
        edges["config"] = parts;
        Names all{"sim"};
        for (const auto& [module, allowed] : edges)
            all.insert(module);
        edges["sim"] = all;
        // A development node: the simulated chain, with the JSON encoding that evm reads from real nodes.
        edges["devchain"] = {"base", "domain", "ports", "codec", "http", "evm", "sim"};
        return edges;
    }();
    return table;
}

// Additional modules for unit tests: code with sockets is tested with real sockets and a real clock, and code with long
// waits in virtual time.
const std::map<std::string, Names, std::less<>> extra_edges_of_tests{
    {"http", {"system"}},          {"jsonrpc", {"system"}}, {"evm", {"system", "sim"}},
    {"cluster", {"sim"}},          {"alerts", {"sim"}},     {"hooks", {"sim"}},
    {"relaxed", {"sim", "store"}}, {"signers", {"system"}}, {"api", {"sim", "store"}},
    {"devchain", {"system"}},      {"lane", {"sim"}}};

bool may_include(const SourceFile& file, std::string_view from, std::string_view to) {
    if (from == to || allowed_edges().find(from)->second.contains(to)) return true;
    const auto extra = extra_edges_of_tests.find(from);
    return is_test(file.path) && extra != extra_edges_of_tests.end() && extra->second.contains(to);
}

std::string first_folder(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

Finding forbidden(const SourceFile& file, const Include& include, std::string_view from) {
    const auto& allowed = allowed_edges().find(from)->second;
    return {file.path, include.line,
            fmt::format(
                "Module {} must not include \"{}\": it may include only {{{}}}. Go through a port, or move the code.",
                from, include.name, fmt::join(allowed, ", "))};
}

}  // namespace

std::string_view module_of(std::string_view path) {
    static constexpr std::string_view source = "src/";
    if (!path.starts_with(source)) return {};
    path.remove_prefix(source.size());
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

bool is_adapter(std::string_view module) { return adapters.contains(module); }

Findings forbidden_edges(const SourceFile& file) {
    const auto from = module_of(file.path);
    if (from.empty()) return {};
    if (!allowed_edges().contains(from)) {
        return {{file.path, 1, fmt::format("Add module {} to the table in tests/tidy/modules.cpp.", from)}};
    }
    if (!is_cpp(file.path)) return {};

    Findings findings;
    for (const auto& include : includes_of(file.text)) {
        const auto to = first_folder(include.name);
        if (include.name.find("..") != std::string::npos) {
            findings.push_back({file.path, include.line, "Include by the path under src/, not by \"..\"."});
        } else if (allowed_edges().contains(to) && !may_include(file, from, to)) {
            findings.push_back(forbidden(file, include, from));
        }
    }
    return findings;
}

}  // namespace fencepost::tidy
