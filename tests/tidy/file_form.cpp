#include "file_form.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

#include <fmt/format.h>

namespace fencepost::tidy {
namespace {

constexpr std::size_t max_columns = 120;

// Bytes of the form 10xxxxxx continue a UTF-8 character.
std::size_t columns(std::string_view line) {
    return static_cast<std::size_t>(
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

bool has_strict_lines(std::string_view path) {
    static constexpr std::array<std::string_view, 4> endings{".sh", ".cmake", "CMakeLists.txt", ".sql"};
    return is_cpp(path) || path.starts_with("script/") ||
           std::ranges::any_of(endings, [path](auto ending) { return path.ends_with(ending); });
}

bool opens_with_a_sentence(std::string_view text) {
    static constexpr std::size_t words = 3;
    const auto first = text.substr(0, text.find('\n'));
    return first.starts_with("// ") && std::ranges::count(first, ' ') >= static_cast<std::ptrdiff_t>(words);
}

}  // namespace

Findings bad_openings(const SourceFile& file) {
    if (!is_cpp(file.path)) return {};
    Findings findings;
    const auto lines = lines_of(file.text);
    if (is_header(file.path) && std::ranges::find(lines, "#pragma once") == lines.end()) {
        findings.push_back({file.path, 1, "Write \"#pragma once\" below the opening comment."});
    }
    if (is_test(file.path)) return findings;
    if (is_header(file.path) && !opens_with_a_sentence(file.text)) {
        findings.push_back({file.path, 1, "Open the header with a comment that says why it exists."});
    } else if (!file.text.starts_with("//") && !file.text.starts_with("#include")) {
        findings.push_back({file.path, 1, "Open the file with a comment that says why it exists, or with its header."});
    }
    return findings;
}

Findings bad_lines(const SourceFile& file) {
    if (!has_strict_lines(file.path)) return {};
    Findings findings;
    std::size_t number = 0;
    const auto add = [&](std::string what) { findings.push_back({file.path, number, std::move(what)}); };
    for (const auto line : lines_of(file.text)) {
        ++number;
        if (line.find('\t') != std::string_view::npos) add("Indent and align with blanks, not with a tab.");
        if (line.ends_with(' ') || line.ends_with('\t') || line.ends_with('\r'))
            add("Remove the trailing white space.");
        if (columns(line) > max_columns)
            add(fmt::format("Break the line: {} columns, not {}.", max_columns, columns(line)));
    }
    return findings;
}

Findings missing_last_newline(const SourceFile& file) {
    if (file.text.empty() || file.text.ends_with('\n') || file.path.starts_with("tests/fuzz/corpus/")) return {};
    return {{file.path, lines_of(file.text).size(), "End the last line with a newline."}};
}

Findings machine_traces(const SourceFile& file) {
    // Split into pieces, otherwise the rule would find itself.
    static const std::regex trace(R"((^|[^\w.])/(wo)"
                                  R"(rk|fa)"
                                  R"(rm|ro)"
                                  R"(ot)/)"
                                  R"(|\b(registry|deb)\.([a-z0-9-]+\.)+(org|com|net|io|dev|cn|local|internal)\b)"
                                  R"(|://([\w-]+\.)*(registry|deb)\.\w)");
    Findings findings;
    std::size_t number = 0;
    for (const auto line : lines_of(file.text)) {
        ++number;
        std::match_results<std::string_view::const_iterator> match;
        if (!std::regex_search(line.begin(), line.end(), match, trace)) continue;
        findings.push_back(
            {file.path, number,
             fmt::format("Remove \"{}\": paths and package hosts belong to one machine.", match[0].str())});
    }
    return findings;
}

}  // namespace fencepost::tidy
