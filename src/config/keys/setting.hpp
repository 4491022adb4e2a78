// A key that was set, with its source, and the one-line problem report about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::config {

/// The source of a setting, for error messages.
struct Place {
    enum class Origin { file, variable, flag };
    Origin origin = Origin::file;
    std::string name;  // of the file or the variable, or the flag with its dashes
    std::size_t line = 0;
    std::size_t column = 0;

    /// fencepost.yaml:3:5, FENCEPOST_LISTEN, --listen
    [[nodiscard]] std::string to_string() const;
};

struct Setting {
    std::string path;  // "chains.main.confirmations.required"
    std::vector<std::string> items;
    /// The value before variables were expanded: only this may be quoted.
    std::vector<std::string> written;
    bool is_list = false;
    /// A flag without a value; allowed for switches only.
    bool is_bare = false;
    Place place;
};

struct Problem {
    std::string where;  // empty: no particular place
    std::string what;

    [[nodiscard]] std::string to_string() const;
};

using Settings = std::vector<Setting>;
using Problems = std::vector<Problem>;

[[nodiscard]] Problem problem_at(const Place& place, std::string what);
/// Also names the key, unless the place does.
[[nodiscard]] Problem problem_with(const Setting& setting, std::string_view what);

/// Quoted, printable and truncated.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace fencepost::config
