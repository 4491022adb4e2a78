#include "includes.hpp"

#include <filesystem>
#include <regex>

#include "cpp_text.hpp"

namespace fencepost::tidy {

std::vector<Include> includes_of(std::string_view text) {
    static const std::regex directive(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
    const std::string code = without_comments(text);
    std::vector<Include> includes;
    std::size_t number = 0;
    for (const auto line : lines_of(code)) {
        ++number;
        std::match_results<std::string_view::const_iterator> match;
        if (line.find('#') == std::string_view::npos) continue;
        if (std::regex_search(line.begin(), line.end(), match, directive)) includes.push_back({number, match[1].str()});
    }
    return includes;
}

std::optional<std::string> resolve(const SourceTree& tree, std::string_view includer, std::string_view name) {
    namespace fs = std::filesystem;
    for (fs::path folder = fs::path(includer).parent_path(); !folder.empty(); folder = folder.parent_path()) {
        auto candidate = (folder / name).lexically_normal().string();
        if (tree.contains(candidate)) return candidate;
    }
    auto candidate = (fs::path("src") / name).lexically_normal().string();
    if (tree.contains(candidate)) return candidate;
    return std::nullopt;
}

}  // namespace fencepost::tidy
