#include "long_code.hpp"

#include <array>
#include <regex>
#include <vector>

#include <fmt/format.h>

#include "cpp_text.hpp"

namespace fencepost::tidy {
namespace {

constexpr std::size_t max_file_lines = 400;
constexpr std::size_t max_function_lines = 60;

/// Whether the text between the last statement and a brace starts a function rather than a type or a namespace.
bool introduces_function(const std::string& before) {
    static const std::regex type_or_scope(R"(\b(namespace|class|struct|union|enum|requires)\b[^()]*$|=\s*$)");
    return before.find('(') != std::string::npos && !std::regex_search(before, type_or_scope);
}

}  // namespace

Findings long_files(const SourceFile& file) {
    const std::size_t count = lines_of(file.text).size();
    if (!is_cpp(file.path) || count <= max_file_lines) return {};
    return {{file.path, 1, fmt::format("{} lines in one file", count)}};
}

Findings long_functions(const SourceFile& file) {
    if (!is_cpp(file.path)) return {};
    struct Brace {
        bool function;
        std::size_t line;
    };
    Findings findings;
    std::vector<Brace> open;
    std::string before;
    std::size_t functions = 0;
    std::size_t line = 1;
    for (const char c : code_only(file.text)) {
        if (c == '\n') ++line;
        if (c == '{') {
            const bool function = functions > 0 || introduces_function(before);
            functions += function ? 1U : 0U;
            open.push_back({function, line});
        } else if (c == '}' && !open.empty()) {
            const Brace brace = open.back();
            open.pop_back();
            functions -= brace.function ? 1U : 0U;
            const std::size_t length = line - brace.line + 1;
            if (brace.function && functions == 0 && length > max_function_lines) {
                findings.push_back({file.path, brace.line, fmt::format("{} lines in one function", length)});
            }
        }
        if (c == '{' || c == '}' || c == ';') {
            before.clear();
        } else {
            before.push_back(c == '\n' ? ' ' : c);
        }
    }
    return findings;
}

}  // namespace fencepost::tidy
