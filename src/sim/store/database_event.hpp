// What checkers are told of, right after it was committed on the database, whether or not the caller ever learns it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "domain/lease.hpp"
#include "ports/store/intake.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/leases.hpp"

namespace fencepost::sim {

// Executed by the database's clock, by which leases are judged; asked and committed by the world's, which is never set.

/// One submitter's part of a write, as the node asked for it (a mutant may have written something else). Of what is
/// written beside a lane's batches, such as a reservation of a shared key's nonce, it has no more than the fence.
struct Committed {
    std::string node;
    LaneWrite write;
    WriteAnswer answer{};
    UnixTime executed_at;
    UnixTime committed_at;
    std::optional<Lease> lease_before;
    /// When it left the node: an opening of a later moment must have put an end to it.
    UnixTime asked_at;
};

struct Opened {
    std::string node;
    SubmitterId submitter;
    OpenAnswer answer;
    std::optional<Lease> lease_before;
    UnixTime executed_at;
    UnixTime committed_at;
};

struct Renewed {
    std::string node;
    LeaseClaim claim;
    LeaseResult result{};
    std::optional<Lease> lease_before;
    UnixTime executed_at;
    UnixTime committed_at;
};

/// Whether the claim was the row's or not: lease_before tells.
struct Released {
    std::string node;
    LeaseClaim claim;
    std::optional<Lease> lease_before;
    std::optional<Lease> lease_after;
    UnixTime committed_at;
};

struct Accepted {
    std::string node;
    NewIntent intent;
    AcceptAnswer answer;
    UnixTime committed_at;
};

using DatabaseEvent = std::variant<Committed, Opened, Renewed, Released, Accepted>;

}  // namespace fencepost::sim
