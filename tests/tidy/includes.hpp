// Who includes whom: the one thing by which dependencies are judged.
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

/// The file of the tree that an include means: beside the includer, in a folder above it, or under src/.
[[nodiscard]] std::optional<std::string> resolve(const SourceTree& tree, std::string_view includer,
                                                 std::string_view name);

}  // namespace fencepost::tidy
