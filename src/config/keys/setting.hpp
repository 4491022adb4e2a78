// One key that somebody set, and where; and what is wrong with it, in one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::config {

/// Where a setting stands, for the person who wrote it.
struct Place {
    enum class Origin { file, variable, flag };
    Origin origin = Origin::file;
    std::string name;  // the file's, the variable's, or the flag with its dashes
    std::size_t line = 0;
    std::size_t column = 0;

    /// fencepost.yaml:3:5, FENCEPOST_LISTEN, --listen
    [[nodiscard]] std::string to_string() const;
};

struct Setting {
    std::string path;  // "chains.main.confirmations.required"
    std::vector<std::string> items;
    /// As it was written, before variables were put in: what may be quoted.
    std::vector<std::string> written;
    bool is_list = false;
    /// A flag without a value, which only switches may be.
    bool is_bare = false;
    Place place;
};

struct Problem {
    std::string where;  // empty: nowhere in particular
    std::string what;

    [[nodiscard]] std::string to_string() const;
};

using Settings = std::vector<Setting>;
using Problems = std::vector<Problem>;

[[nodiscard]] Problem problem_at(const Place& place, std::string what);
/// Names the key as well, where the place does not do so already.
[[nodiscard]] Problem problem_with(const Setting& setting, std::string_view what);

/// In quotes, safe to print, and not too long.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace fencepost::config
