#include "config/sources/expand.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fencepost::config {
namespace {

bool is_variable_name(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !digit(name.front()) &&
           std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); });
}

}  // namespace

Result<std::string, std::string> expand(std::string_view text, const Environment& environment,
                                        std::set<std::string>& used) {
    std::string result;
    while (!text.empty()) {
        const auto dollar = std::min(text.find('$'), text.size());
        result += text.substr(0, dollar);
        text.remove_prefix(dollar);
        if (text.empty()) break;
        if (text.starts_with("$$")) {
            result += '$';
            text.remove_prefix(2);
            continue;
        }
        const auto end = text.starts_with("${") ? text.find('}') : std::string_view::npos;
        const auto name = end == std::string_view::npos ? std::string_view{} : text.substr(2, end - 2);
        if (!is_variable_name(name)) {
            return err(std::string("has a $ without {NAME}; write $$ for a dollar sign"));
        }
        used.emplace(name);
        const auto found = environment.find(name);
        if (found == environment.end()) {
            return err(fmt::format("needs the environment variable {}, which is not set", name));
        }
        result += found->second;
        text.remove_prefix(end + 1);
    }
    return result;
}

}  // namespace fencepost::config
