// Leases in the store: the rules of domain/lease.hpp, decided by database time on a locked row.
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
    /// The proof for every later write; none for not_owner and busy.
    std::optional<Fence> fence;
};

struct LeaseClaim {
    SubmitterId submitter;
    Fence fence;
};

/// What an implementation promises:
/// - at no moment do two unexpired leases exist for one submitter, and expiry is judged by the database's clock alone;
/// - every successful opening raises the token, also of one's own lease; renewing keeps it; release keeps row and
/// token;
/// - state read after open() returned is not older than the opening (failure 23);
/// - renewing locks rows in one order and skips those locked elsewhere, which are `busy`: one stalled submitter delays
/// no
///   other (failures 21, 22);
/// - an opening that is blocked for 1 s by a stalled owner evicts it (failure 20).
class Leases {
public:
    virtual ~Leases() = default;

    [[nodiscard]] virtual Task<Result<OpenAnswer, StoreError>> open(SubmitterId submitter, NodeId node,
                                                                    Duration duration) = 0;
    /// One answer per claim, in the order asked: renewed, not_owner or busy.
    [[nodiscard]] virtual Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims,
                                                                                   Duration duration) = 0;
    [[nodiscard]] virtual Task<Status<StoreError>> release(std::vector<LeaseClaim> claims) = 0;
};

}  // namespace fencepost
