// Checks every transaction at the moment its bytes leave a node: the bytes are on record (law 2), and the node holds
// the lease.
#pragma once

#include "ports/signer.hpp"
#include "sim/chain/wire_record.hpp"
#include "sim/simulation/store_checker.hpp"

namespace fencepost::sim {

class WireChecker {
public:
    WireChecker(World& world, SimDatabase& database, const StoreChecker& store, ViolationRecorder& violations)
        : world_(world),
          database_(database),
          store_(store),
          violations_(violations) {}

    void see(const WireEntry& entry);
    /// Checks a node's request to a connector in the same way.
    void see(const std::string& node, const UnsignedTransaction& asked);

private:
    void check_owner(const std::string& node, const SubmitterId& submitter, TxId tx);

    World& world_;
    SimDatabase& database_;
    const StoreChecker& store_;
    ViolationRecorder& violations_;
};

}  // namespace fencepost::sim
