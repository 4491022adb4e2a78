#include "seeds.hpp"

#include <optional>
#include <regex>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cpp_text.hpp"

namespace fencepost::tidy {
namespace {

void add_matches(const std::string& text, const std::regex& pattern, std::string_view format,
                 std::set<std::string>& names) {
    for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it) {
        names.insert(it->format(std::string(format)));
    }
}

void add_tests_of_cpp(const std::string& text, std::set<std::string>& names) {
    // Disabled tests do not count.
    static const std::regex macro(
        R"(\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP))"
        R"(\s*\(\s*(?!DISABLED_)(\w+)\s*,\s*(?!DISABLED_)(\w+))");
    add_matches(code_only(text), macro, "$1.$2", names);
}

void add_tests_of_cmake(const std::string& text, std::set<std::string>& names) {
    static const std::regex comment("#[^\n]*");
    static const std::regex test(R"(\badd_test\s*\(\s*NAME\s+([\w.]+)(?=[\s)]))");
    static const std::regex fuzz(R"(\bfencepost_fuzz\s*\(\s*(\w+)(?=[\s)]))");
    const std::string code = std::regex_replace(text, comment, "");
    add_matches(code, test, "$1", names);
    add_matches(code, fuzz, "Fuzz.$1", names);
}

struct Requirement {
    bool ticked = false;
    std::string id;
    std::vector<std::string> tests;
};

std::vector<std::string> split_at_commas(const std::string& text) {
    static const std::regex name("[^,\\s]+");
    return {std::sregex_token_iterator(text.begin(), text.end(), name), {}};
}

// - [x] LF01 | 000 4.1 | requirement | 1·02 | test: Suite.Name, Suite.Other
std::optional<Requirement> parse_requirement(std::string_view line) {
    static const std::regex head(R"(^- \[([ x])\] ([A-Z]{2}\d{2}) \| )");
    static constexpr std::string_view tests_follow = " | test:";
    std::match_results<std::string_view::const_iterator> match;
    const std::size_t tests = line.rfind(tests_follow);
    if (!std::regex_search(line.begin(), line.end(), match, head) || tests == std::string_view::npos)
        return std::nullopt;
    return Requirement{.ticked = match[1] == "x",
                       .id = match[2],
                       .tests = split_at_commas(std::string(line.substr(tests + tests_follow.size())))};
}

}  // namespace

std::set<std::string> tests_in(const SourceTree& tree) {
    std::set<std::string> names;
    for (const auto& [path, text] : tree) {
        if (path.ends_with(".cpp")) add_tests_of_cpp(text, names);
        if (path.ends_with("CMakeLists.txt") || path.ends_with(".cmake")) add_tests_of_cmake(text, names);
    }
    return names;
}

Findings check_seeds(const SourceFile& list, const std::set<std::string>& tests, std::size_t requirements) {
    Findings findings;
    std::set<std::string> ids;
    std::size_t number = 0;
    std::size_t count = 0;
    const auto add = [&](std::string what) { findings.push_back({list.path, number, std::move(what)}); };
    for (const auto line : lines_of(list.text)) {
        ++number;
        if (!line.starts_with("- ")) continue;
        ++count;
        const auto requirement = parse_requirement(line);
        if (!requirement) {
            add("Write the line as \"- [ ] id | seed §section | requirement | round·part | test:\".");
            continue;
        }
        const auto& [ticked, id, named] = *requirement;
        if (!ids.insert(id).second) add(fmt::format("Give the line a unique id; {} is used above.", id));
        if (ticked && named.empty()) add(fmt::format("Name the test that verifies {}, or untick it.", id));
        for (const auto& name : named) {
            if (!tests.contains(name)) add(fmt::format("Write the test {} or name another: it does not exist.", name));
        }
    }
    if (count != requirements) {
        add(fmt::format("Restore the missing lines: there are {} requirements, not {}.", requirements, count));
    }
    return findings;
}

}  // namespace fencepost::tidy
