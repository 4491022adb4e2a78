// The port for leases: the rules of domain/lease.hpp, applied with database time on a locked row.
#pragma once

#include <optional>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

struct OpenAnswer {
    LeaseResult result{};
    /// The fence that every later write carries; none for not_owner and busy.
    std::optional<Fence> fence;
};

struct LeaseClaim {
    SubmitterId submitter;
    Fence fence;
};

/// Contract:
/// - there are never two unexpired leases for one submitter, and expiry is evaluated with database time only;
/// - every successful open() raises the token, also on one's own lease; renew() keeps it; release() keeps row and
///   token;
/// - state read after open() returned is not older than the opening (failure 23);
/// - renewing locks rows in one order and skips rows locked elsewhere, which are `busy`: one stalled submitter delays
///   no other (failures 21, 22);
/// - an opening that is blocked for 1 s by a stalled owner terminates that owner's backend (failure 20).
class Leases {
public:
    virtual ~Leases() = default;

    [[nodiscard]] virtual Task<Result<OpenAnswer, StoreError>> open(SubmitterId submitter, NodeId node,
                                                                    Duration duration) = 0;
    /// One answer per claim, in the order of the claims: renewed, not_owner or busy.
    [[nodiscard]] virtual Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims,
                                                                                   Duration duration) = 0;
    [[nodiscard]] virtual Task<Status<StoreError>> release(std::vector<LeaseClaim> claims) = 0;
};

}  // namespace fencepost
