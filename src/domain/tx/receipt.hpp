// The inclusion of a transaction in a block, and its result. Provisional until it has the required depth (law 5).
#pragma once

#include <optional>
#include <string>

#include "domain/chain/block.hpp"
#include "domain/ids.hpp"

namespace fencepost {

struct Receipt {
    TxHash hash;
    BlockNumber block_number;
    BlockHash block_hash;
    bool succeeded = false;
    Gas gas_used;
    Wei effective_gas_price;
    /// The address of a deployment, in its chain's canonical form.
    std::optional<std::string> contract;

    friend bool operator==(const Receipt&, const Receipt&) = default;
};

}  // namespace fencepost
