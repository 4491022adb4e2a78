// Allocates nonces of a key that is shared with other systems: no local cursor is authoritative, so the next nonce is
// the maximum of what the chain, this process and the database know. A nonce is reserved, then in flight, then used, or
// released and reserved again. One source serves one opening of one submitter; its cache ends with it.
#pragma once

#include <optional>
#include <string>

#include "base/async/async_semaphore.hpp"
#include "base/async/task.hpp"
#include "base/result.hpp"
#include "ports/alerts.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/store/leases.hpp"
#include "ports/store/relaxed_nonces.hpp"
#include "ports/telemetry.hpp"
#include "relaxed/nonce_cache.hpp"
#include "relaxed/nonce_error.hpp"
#include "relaxed/relaxed_options.hpp"

namespace fencepost::relaxed {

/// The progress of the transaction at a nonce.
enum class Progress {
    sending,  // about to be sent for the first time, or with another hash
    mined,    // provisional: a fork may take it back
    final,    // at the required depth
    forked,   // removed from its block, also after it was final
};

struct RelaxedDependencies {
    RelaxedNonces& store;
    Chain& chain;
    Clock& clock;
    Telemetry& telemetry;
    Log& log;
    Alerts& alerts;
};

class NonceSource {
public:
    NonceSource(const Executor& executor, LeaseClaim opening, RelaxedDependencies dependencies,
                RelaxedOptions options = {});

    /// Reserves a nonce for `reserved_timeout`. Concurrent callers are served in order. If the chain does not answer,
    /// local state is used, unless the key was never seen before. A new nonce is not below `at_least`, a bound known to
    /// the caller; a recycled one may be.
    [[nodiscard]] Task<Result<Nonce, NonceError>> reserve(LockOwner owner, Nonce at_least = {});

    /// Must succeed before the first byte is sent: from then on the nonce is never given to another owner. It counts as
    /// used only once it is final (law 5).
    [[nodiscard]] Task<Status<NonceError>> follow(LockOwner owner, Nonce nonce, TxHash hash, Progress progress);

    /// Releases a nonce. Only if no party can hold its bytes: never sent, or permanently refused by all endpoints.
    [[nodiscard]] Task<Status<NonceError>> give_back(LockOwner owner, Nonce nonce, std::string why);

    /// An external transaction used a nonce, or one is allocated again: the cached chain state is outdated.
    void invalidate() { cache_.invalidate(); }

    /// Compares with the chain. If the chain is ahead, the database's count follows; reserved nonces and nonces in
    /// flight stay unchanged, and no nonce is marked used because of a count.
    [[nodiscard]] Task<Result<Alignment, NonceError>> align();

    /// Aligns periodically, until the source is closed.
    [[nodiscard]] Task<void> align_periodically();

private:
    [[nodiscard]] Task<bool> query_chain();
    [[nodiscard]] Task<bool> load_local_state();
    [[nodiscard]] std::optional<NonceError> check_answer(const Result<WriteAnswer, StoreError>& answer,
                                                         std::string_view what);
    [[nodiscard]] Task<Result<Nonce, NonceError>> take(LockOwner owner, Nonce at_least, std::string_view source);
    [[nodiscard]] NonceError raise_reconcile_alert(NonceError error, std::string_view why);
    [[nodiscard]] Task<Status<NonceError>> check_reservations();

    LeaseClaim opening_;
    RelaxedDependencies dependencies_;
    RelaxedOptions options_;
    NonceCache cache_;
    AsyncSemaphore semaphore_;
    /// Set when the source is closed.
    std::optional<NonceError> closed_with_;
};

}  // namespace fencepost::relaxed
