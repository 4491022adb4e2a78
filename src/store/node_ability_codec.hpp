// JSON encoding of a node's ability for both stores, readable in psql.
#pragma once

#include <string>
#include <string_view>

#include "ports/store/node_ability.hpp"

namespace fencepost::store {

[[nodiscard]] std::string encode(const NodeAbility& ability);

/// Nodes of other versions write this as well: unknown values are ignored and never fail the row.
[[nodiscard]] NodeAbility decode_node_ability(std::string_view text);

}  // namespace fencepost::store
