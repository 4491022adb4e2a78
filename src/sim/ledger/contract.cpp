#include "sim/ledger/contract.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::sim {
namespace {

// The first four bytes of keccak256("approve(address,uint256)") and of
// keccak256("transferFrom(address,address,uint256)").
const Bytes approve_selector{0x09, 0x5e, 0xa7, 0xb3};
const Bytes transfer_from_selector{0x23, 0xb8, 0x72, 0xdd};

bool calls(ByteView data, const Bytes& selector) {
    return data.size() >= selector.size() && std::ranges::equal(data.first(selector.size()), selector);
}

}  // namespace

SimContract always_succeeds(Gas gas) {
    return [gas](const ContractCall& /*call*/, ContractStorage& /*storage*/) { return CallResult{.gas = gas}; };
}

SimContract always_reverts(std::string reason, Gas gas) {
    return [reason = std::move(reason), gas](const ContractCall& /*call*/, ContractStorage& /*storage*/) {
        return CallResult{.succeeded = false, .gas = gas, .reason = reason};
    };
}

SimContract needs_approval() {
    return [](const ContractCall& call, ContractStorage& storage) {
        const Bytes key = to_bytes(call.sender.view());
        if (calls(call.data, approve_selector)) storage.set(key, 1);
        if (calls(call.data, transfer_from_selector) && storage.get(key).is_zero()) {
            return CallResult{.succeeded = false, .reason = no_allowance};
        }
        return CallResult{};
    };
}

Bytes approve_call() { return approve_selector; }
Bytes transfer_from_call() { return transfer_from_selector; }

}  // namespace fencepost::sim
