#include "failures.hpp"

#include <optional>
#include <regex>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace fencepost::tidy {
namespace {

struct Row {
    std::size_t number = 0;
    std::vector<std::string> tests;
};

// | 7 | what happens elsewhere | what prevents it here | `Suite.Name`, `Suite.Other` |
std::optional<Row> parse_row(const std::string& line) {
    static const std::regex form(R"(\| (\d+) \| [^|]+ \| [^|]+ \|([^|]*)\|)");
    static const std::regex name("`([^`]+)`");
    std::smatch match;
    if (!std::regex_match(line, match, form)) return std::nullopt;
    const std::string named = match[2];
    return Row{.number = std::stoul(match[1]),
               .tests = {std::sregex_token_iterator(named.begin(), named.end(), name, 1), {}}};
}

bool is_row(std::string_view line) {
    return line.size() > 2 && line.starts_with("| ") && line[2] >= '0' && line[2] <= '9';
}

std::optional<std::string> test_finding(const std::string& test, std::size_t number,
                                        const std::set<std::string>& tests) {
    if (!tests.contains(test)) return fmt::format("Write the test {} or name another: it does not exist.", test);
    if (failures_of(test).contains(number)) return std::nullopt;
    return fmt::format("Name a test that carries Failure{:02}; {} does not.", number, test);
}

}  // namespace

std::set<std::size_t> failures_of(const std::string& test) {
    static const std::regex carried(R"(Failure(\d\d(?:And\d\d)*)(?!\d))");
    static const std::regex number(R"(\d\d)");
    std::set<std::size_t> numbers;
    std::smatch match;
    if (!std::regex_search(test, match, carried)) return numbers;
    const std::string list = match[1];
    for (std::sregex_iterator it(list.begin(), list.end(), number), end; it != end; ++it)
        numbers.insert(std::stoul(it->str()));
    return numbers;
}

Findings unknown_tests(const SourceFile& document, const std::set<std::string>& tests) {
    static const std::regex named(R"(`([A-Z]\w*\.(?:[A-Z]\w*|\*))`)");
    const auto exists = [&tests](const std::string& name) {
        if (!name.ends_with('*')) return tests.contains(name);
        const auto suite = name.substr(0, name.size() - 1);
        const auto first = tests.lower_bound(suite);
        return first != tests.end() && first->starts_with(suite);
    };
    Findings findings;
    for (std::sregex_iterator it(document.text.begin(), document.text.end(), named), end; it != end; ++it) {
        const std::string name = (*it)[1];
        if (exists(name)) continue;
        findings.push_back({document.path, line_at(document.text, static_cast<std::size_t>(it->position())),
                            fmt::format("Write the test {} or name another: it does not exist.", name)});
    }
    return findings;
}

Findings check_failures(const SourceFile& table, const std::set<std::string>& tests,
                        const std::set<std::size_t>& numbers, const std::set<std::size_t>& excepted) {
    Findings findings;
    std::size_t line_number = 0;
    std::size_t last = 0;
    std::size_t rows = 0;
    const auto add = [&](std::string what) { findings.push_back({table.path, line_number, std::move(what)}); };
    for (const auto line : lines_of(table.text)) {
        ++line_number;
        if (!is_row(line)) continue;
        const auto row = parse_row(std::string(line));
        if (!row) {
            add("Write the row as \"| number | what happens elsewhere | what prevents it here | `Suite.Name` |\".");
            continue;
        }
        const auto next = numbers.upper_bound(last);
        if (next == numbers.end() || row->number != *next)
            add(fmt::format("Give each number one row, in order: {} follows {}.", row->number, last));
        last = row->number;
        ++rows;
        if (row->tests.empty() && !excepted.contains(last))
            add(fmt::format("Name a test that carries Failure{:02}.", last));
        for (const auto& test : row->tests)
            if (auto what = test_finding(test, last, tests)) add(std::move(*what));
    }
    if (rows != numbers.size())
        add(fmt::format("Restore the missing rows: there are {} failures, not {}.", numbers.size(), rows));
    return findings;
}

}  // namespace fencepost::tidy
