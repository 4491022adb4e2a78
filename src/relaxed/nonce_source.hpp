// The nonces of a key that other systems use, too: no cursor of ours can be the truth, so the next nonce is the highest
// of what the chain, this process and the database know. A nonce is reserved, then in flight, then used, or given back
// and reserved again. One source serves one opening of one submitter; its cache ends with it.
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

/// How far the transaction at a nonce has come.
enum class Progress {
    sending,  // about to be sent for the first time, or under another hash
    mined,    // provisional: a fork may take it back
    final,    // as deep as was asked for
    forked,   // taken out of its block, also after it was final
};

struct RelaxedParts {
    RelaxedNonces& store;
    Chain& chain;
    Clock& clock;
    Telemetry& telemetry;
    Log& log;
    Alerts& alerts;
};

class NonceSource {
public:
    NonceSource(const Executor& executor, LeaseClaim opening, RelaxedParts parts, RelaxedOptions options = {});

    /// A nonce that nobody else of ours holds, for as long as `reserved_timeout`. Those who ask at once are served in
    /// the order of asking. A chain that does not answer is done without, unless the key was never seen before. A new
    /// one is not below `at_least`, which the caller knows besides; one that was given back may be.
    [[nodiscard]] Task<Result<Nonce, NonceError>> reserve(LockOwner owner, Nonce at_least = {});

    /// To be called, and to have succeeded, before the first byte is sent: from then on the nonce is not given to
    /// anybody else, however long it takes. It is used only once it is final (law 5).
    [[nodiscard]] Task<Status<NonceError>> follow(LockOwner owner, Nonce nonce, TxHash hash, Progress progress);

    /// Only when it is certain that nobody holds bytes of it: never sent, or refused by all for good.
    [[nodiscard]] Task<Status<NonceError>> give_back(LockOwner owner, Nonce nonce, std::string why);

    /// Somebody else used a nonce, or one is to be given again: what the chain said last is not good enough.
    void doubt() { cache_.doubt(); }

    /// Compares with the chain. When that is ahead, the database's count follows; what is reserved or in flight is left
    /// alone, and nothing is called used because of a count.
    [[nodiscard]] Task<Result<Alignment, NonceError>> align();

    /// Aligns once an interval, until the source is over.
    [[nodiscard]] Task<void> keep_aligned();

private:
    [[nodiscard]] Task<bool> ask_chain();
    [[nodiscard]] Task<bool> known_here();
    [[nodiscard]] std::optional<NonceError> judge(const Result<WriteAnswer, StoreError>& answer, std::string_view what);
    [[nodiscard]] Task<Result<Nonce, NonceError>> take(LockOwner owner, Nonce at_least, std::string_view source);
    [[nodiscard]] NonceError complain(NonceError error, std::string_view why);
    [[nodiscard]] Task<Status<NonceError>> look_at_reservations();

    LeaseClaim opening_;
    RelaxedParts parts_;
    RelaxedOptions options_;
    NonceCache cache_;
    Turns turns_;
    /// Why nothing is written any more.
    std::optional<NonceError> over_;
};

}  // namespace fencepost::relaxed
