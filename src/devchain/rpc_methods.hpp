// Private to src/devchain: the method tables by subject, each defined in the file of the same name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "devchain/rpc_call.hpp"

namespace fencepost::devchain {

using RpcMethod = RpcAnswer (*)(RpcWorld&, const Params&);
using RpcMethods = std::map<std::string, RpcMethod, std::less<>>;

[[nodiscard]] RpcMethods account_methods();
[[nodiscard]] RpcMethods block_methods();
[[nodiscard]] RpcMethods fee_methods();
[[nodiscard]] RpcMethods transaction_methods();
/// Methods that only development nodes have, by their names in hardhat and anvil.
[[nodiscard]] RpcMethods control_methods();

}  // namespace fencepost::devchain
