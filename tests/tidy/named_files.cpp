#include "named_files.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

namespace fencepost::tidy {
namespace {

// "src/lane" and "lane/loop/turn.cpp", but not "GET /api/v1/tx", "--flag" or "eip155:1".
bool looks_like_a_file(const std::string& name) {
    static const std::regex file(R"([\w./-]*\w\.(?:cpp|hpp|ts|mjs|js|py|sh|sql|md|json|yaml|yml|toml|txt|cmake))");
    static const std::regex folder(R"((?:src|apps|tests|bench|db|docs|cmake|script|samples|sdk|web|deploy)/[\w./-]*)");
    return std::regex_match(name, file) || std::regex_match(name, folder);
}

bool ends_with_path(std::string_view path, std::string_view name) {
    if (!path.ends_with(name)) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

// "lane/loop" is a folder of "src/lane/loop/turn.cpp".
bool lies_in(std::string_view path, std::string_view folder) {
    const auto at = path.find(fmt::format("{}/", folder));
    return at == 0 || (at != std::string_view::npos && path[at - 1] == '/');
}

}  // namespace

bool is_in_tree(const SourceTree& tree, std::string_view name) {
    if (name.ends_with('/')) name.remove_suffix(1);
    return std::ranges::any_of(
        tree, [name](const auto& file) { return ends_with_path(file.first, name) || lies_in(file.first, name); });
}

Findings missing_files(const SourceFile& document, const SourceTree& tree) {
    static const std::regex quoted("`([^`\n]+)`");
    Findings findings;
    for (std::sregex_iterator it(document.text.begin(), document.text.end(), quoted), end; it != end; ++it) {
        const std::string name = (*it)[1];
        if (!looks_like_a_file(name) || is_in_tree(tree, name)) continue;
        findings.push_back({document.path, line_at(document.text, static_cast<std::size_t>(it->position())),
                            fmt::format("Name another file or folder: there is no {}.", name)});
    }
    return findings;
}

}  // namespace fencepost::tidy
