// A node's ability as both stores keep it: JSON that a person can read in psql.
#pragma once

#include <string>
#include <string_view>

#include "ports/store/node_ability.hpp"

namespace fencepost::store {

[[nodiscard]] std::string encode(const NodeAbility& ability);

/// Nodes of other versions write this, too: what cannot be read is left out, and never fails the row.
[[nodiscard]] NodeAbility decode_node_ability(std::string_view text);

}  // namespace fencepost::store
