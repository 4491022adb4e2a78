#include "cluster/node_identity.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fencepost::cluster {

Result<NodeId, ParseError> new_incarnation(std::string_view name, Random& random) {
    static constexpr std::size_t longest = 100;
    const auto fits = [](char c) { return c > ' ' && c <= '~' && c != '/'; };
    if (name.empty() || name.size() > longest || !std::ranges::all_of(name, fits)) {
        return err(ParseError{
            fmt::format("a node's name has 1 to {} printable characters without a space or slash", longest)});
    }
    return NodeId(fmt::format("{}/{:016x}", name, random.bits()));
}

}  // namespace fencepost::cluster
