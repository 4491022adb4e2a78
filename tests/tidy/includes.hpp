// Extracts and resolves #include directives, from which all dependency rules are checked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source_tree.hpp"

namespace fencepost::tidy {

struct Include {
    std::size_t line = 0;
    std::string name;  // as written between the quotes or brackets
};

[[nodiscard]] std::vector<Include> includes_of(std::string_view text);

/// The file that an include refers to: next to the includer, in a parent folder, or under src/.
[[nodiscard]] std::optional<std::string> resolve(const SourceTree& tree, std::string_view includer,
                                                 std::string_view name);

}  // namespace fencepost::tidy
