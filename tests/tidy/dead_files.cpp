#include "dead_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "includes.hpp"

namespace fencepost::tidy {
namespace {

constexpr std::array<std::string_view, 4> code_folders{"src/", "apps/", "tests/", "bench/"};

bool is_in_code_folder(std::string_view path) {
    return std::ranges::any_of(code_folders, [path](auto folder) { return path.starts_with(folder); });
}

}  // namespace

// CMake writes one key per line, so no JSON parser is needed.
std::set<std::string> compiled_files(const std::string& compile_commands) {
    constexpr std::string_view before = "\"file\": \"";
    std::set<std::string> compiled;
    for (auto line : lines_of(compile_commands)) {
        const std::size_t begin = line.find(before);
        if (begin == std::string_view::npos) continue;
        line.remove_prefix(begin + before.size());
        compiled.emplace(line.substr(0, line.find('"')));
    }
    return compiled;
}

std::set<std::string> built_files(const std::set<std::string>& compiled, const std::string& top,
                                  const std::function<std::string(const std::string&)>& read) {
    std::set<std::string> built;
    const auto add = [&](std::string_view path) {
        if (path.starts_with(top + "/")) built.emplace(path.substr(top.size() + 1));
    };
    for (const auto& path : compiled) {
        add(path);
        if (!path.ends_with(".cxx")) continue;
        for (const auto& include : includes_of(read(path)))
            add(include.name);
    }
    return built;
}

Findings unbuilt_files(const SourceTree& tree, const std::set<std::string>& built) {
    Findings findings;
    for (const auto& [path, text] : tree) {
        if (!path.ends_with(".cpp") || !is_in_code_folder(path) || built.contains(path)) continue;
        findings.push_back({path, 1, "No target builds this file: add it to one, or delete it."});
    }
    return findings;
}

Findings unused_headers(const SourceTree& tree) {
    std::set<std::string> used;
    for (const auto& [path, text] : tree) {
        if (!is_cpp(path)) continue;
        for (const auto& include : includes_of(text)) {
            if (auto header = resolve(tree, path, include.name); header && *header != path) used.insert(*header);
        }
    }
    Findings findings;
    for (const auto& [path, text] : tree) {
        if (!is_header(path) || used.contains(path)) continue;
        findings.push_back({path, 1, "No file includes this header: use it, or delete it."});
    }
    return findings;
}

}  // namespace fencepost::tidy
