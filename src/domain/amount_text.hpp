// Amounts of wei as people read them: "0.1 ether", "1.5 gwei".
#pragma once

#include <string>

#include "domain/ids.hpp"

namespace fencepost {

/// Exact: in ether, small amounts in gwei or wei.
[[nodiscard]] std::string amount_text(const Uint256& wei);
[[nodiscard]] inline std::string amount_text(const Wei& wei) { return amount_text(wei.value()); }
/// A price of gas, in gwei: "1.5 gwei per gas".
[[nodiscard]] std::string gas_price_text(const Wei& per_gas);

}  // namespace fencepost
