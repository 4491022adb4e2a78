// What checkers receive right after a commit, whether or not the caller ever learns of it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "domain/lease.hpp"
#include "ports/store/intake.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/leases.hpp"

namespace fencepost::sim {

// executed_at is the database clock's time, which decides about leases; asked_at and committed_at are the world's time,
// which never jumps.

/// One submitter's part of a write, as the node requested it (a mutant may have written something else). For a write
/// outside a lane's batches, such as a reservation of a shared key's nonce, it contains only the fence.
struct Committed {
    std::string node;
    LaneWrite write;
    WriteAnswer answer{};
    UnixTime executed_at;
    UnixTime committed_at;
    std::optional<Lease> lease_before;
    /// When it left the node: a later opening must invalidate it.
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

/// For every release, valid or not: lease_before shows which.
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
