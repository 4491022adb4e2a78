#include "source_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace fencepost::tidy {
namespace {

// The files that git would commit: build folders and ignored files are left out.
std::string git_files(const std::string& top) {
    const std::string command = fmt::format("git -C '{}' ls-files -z --cached --others --exclude-standard", top);
    struct Close {
        void operator()(std::FILE* pipe) const { ::pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "r"));
    std::string names;
    std::array<char, 4096> buffer{};
    while (pipe) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get());
        if (count == 0) break;
        names.append(buffer.data(), count);
    }
    return names;
}

bool is_text(std::string_view content) { return content.find('\0') == std::string_view::npos; }

}  // namespace

std::string read_file(const std::string& path) {
    const std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

SourceTree load_tree(const std::string& top) {
    SourceTree tree;
    std::istringstream names(git_files(top));
    for (std::string name; std::getline(names, name, '\0');) {
        const std::string path = fmt::format("{}/{}", top, name);
        if (!std::filesystem::is_regular_file(path)) continue;  // deleted but not yet committed, or a link
        std::string text = read_file(path);
        if (is_text(text)) tree.emplace(name, std::move(text));
    }
    if (tree.empty()) throw std::runtime_error("git lists no file in " + top + "; the tidy test needs a git checkout");
    return tree;
}

const SourceTree& project() {
    static const SourceTree tree = load_tree(FENCEPOST_SOURCE_DIR);
    return tree;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::size_t line_at(std::string_view text, std::size_t offset) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

bool is_header(std::string_view path) { return path.ends_with(".hpp"); }
bool is_cpp(std::string_view path) { return path.ends_with(".cpp") || is_header(path); }
bool is_test(std::string_view path) {
    const auto name = path.substr(path.rfind('/') + 1);
    return path.ends_with("_test.cpp") || path.starts_with("tests/") || (is_header(path) && name.starts_with("test_"));
}

}  // namespace fencepost::tidy
