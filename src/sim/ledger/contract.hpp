// Contract code on the simulated chain: a function of the call and of the contract's own storage. It must not depend on
// anything else, or a block that is executed again after a reorg would give another result.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/bytes.hpp"
#include "domain/address.hpp"
#include "domain/ids.hpp"
#include "sim/ledger/sim_state.hpp"

namespace fencepost::sim {

struct ContractCall {
    Address sender;
    Wei value;
    ByteView data;
};

/// A contract's part of the state. Writes of a reverted call are discarded.
class ContractStorage {
public:
    ContractStorage(const SimState& state, const Address& contract) : state_(state), contract_(contract) {}

    [[nodiscard]] Uint256 get(const Bytes& key) const {
        const auto written = writes_.find(key);
        return written == writes_.end() ? state_.stored(contract_, key) : written->second;
    }
    void set(const Bytes& key, const Uint256& value) { writes_.insert_or_assign(key, value); }

    void apply_to(SimState& state) const {
        for (const auto& [key, value] : writes_)
            state.store(contract_, key, value);
    }

private:
    const SimState& state_;
    Address contract_;
    std::map<Bytes, Uint256> writes_;
};

struct CallResult {
    bool succeeded = true;
    /// In addition to the intrinsic gas.
    Gas gas{20'000};
    /// The revert reason.
    std::string reason{};
    /// The return value of a call.
    Bytes output{};
};

using SimContract = std::function<CallResult(const ContractCall&, ContractStorage&)>;

[[nodiscard]] SimContract always_succeeds(Gas gas = Gas(20'000));
[[nodiscard]] SimContract always_reverts(std::string reason, Gas gas = Gas(5'000));
/// Implements approve(…) and transferFrom(…) by their ERC-20 selectors: transferFrom reverts until the same sender's
/// approve was executed (failure 31). Arguments are ignored. Other calls succeed.
[[nodiscard]] SimContract needs_approval();

[[nodiscard]] Bytes approve_call();
[[nodiscard]] Bytes transfer_from_call();
inline constexpr const char* no_allowance = "ERC20: insufficient allowance";

}  // namespace fencepost::sim
