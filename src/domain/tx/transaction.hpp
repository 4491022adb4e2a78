// A transaction in its lane: queue position, nonce, all attempts, and state. It changes state only along the transition
// table.
#pragma once

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/attempt.hpp"
#include "domain/tx/claimed_send.hpp"
#include "domain/tx/receipt.hpp"
#include "domain/tx/transition_table.hpp"

namespace fencepost {

/// Why a gap filler must consume the nonce. Stored beside the state, because the sub-state may show something more
/// urgent meanwhile (MINED, FORKED), and the verdict depends on it.
enum class Abandonment {
    none,
    cancelled,
    timed_out,
    refused,
    /// An operator cancelled it after a CONFIRMED or reverted verdict, while a reorg had removed its block. The verdict
    /// stays recorded and no longer holds (failure 46).
    revoked,
};

template <>
inline constexpr EnumNames<Abandonment, 5> enum_names<Abandonment>{{
    {Abandonment::none, ""},
    {Abandonment::cancelled, "cancelled"},
    {Abandonment::timed_out, "timed_out"},
    {Abandonment::refused, "refused"},
    {Abandonment::revoked, "revoked"},
}};

struct Transaction {
    TxId id;
    SubmitterId submitter;
    AcceptSequence sequence;
    Position position;
    Abandonment abandonment = Abandonment::none;
    std::optional<Nonce> nonce;
    std::vector<Attempt> attempts;
    std::optional<Receipt> receipt;
    /// With a signing connector: every send it was asked for at this nonce, the latest last.
    std::vector<ClaimedSend> claims{};

    /// Applies a transition. An illegal one is a programming error: callers check `may` first.
    void apply(Trigger trigger);
    [[nodiscard]] bool may(Trigger trigger) const;

    /// Assigns its only nonce (law 3).
    void allocate(const Attempt& first);
    /// The same with a signing connector: the attempt follows when its hash is known.
    void allocate(const ClaimedSend& first);
    /// Adds a bump or a gap filler at the same nonce.
    void add(const Attempt& attempt);
    void add(const ClaimedSend& claim);
    /// Records that a gap filler must consume the nonce; the first reason stays.
    void abandon(Abandonment why);
    /// The same for a settled transaction whose block a reorg removed. The verdict stays; only an operator may request
    /// it.
    void revoke();

    /// The attempt with this hash, or null if the hash is not ours.
    [[nodiscard]] const Attempt* attempt_with(const TxHash& hash) const;
};

/// Whether a gap filler, not the intent, must be mined at the nonce. For a settled transaction this follows from its
/// verdict: the intent if it was mined (also if it reverted); the gap filler if that was mined, or if the verdict was
/// revoked.
[[nodiscard]] bool needs_gap_filler(State state, Abandonment abandonment);
[[nodiscard]] inline bool needs_gap_filler(const Transaction& transaction) {
    return needs_gap_filler(transaction.position.state, transaction.abandonment);
}

/// The attempt to send: the latest one, which is the gap filler after a cancel. For a settled transaction that a reorg
/// removed: the latest of the kind on which its verdict is based.
[[nodiscard]] const Attempt& attempt_to_send(const Transaction& transaction);

/// The same for the request to repeat at a signing connector.
[[nodiscard]] const ClaimedSend& claim_to_send(const Transaction& transaction);
/// Claims without a known hash: they may have been sent or not.
[[nodiscard]] std::vector<ClaimedSend> open_claims(const Transaction& transaction);

/// The fees of everything that was or may have been sent, the latest last; and the gas limit of the first.
[[nodiscard]] std::vector<Fees> fees_offered(const Transaction& transaction);
[[nodiscard]] Gas first_gas_limit(const Transaction& transaction);

/// The final transition for the receipt of one of its attempts. The verdict follows what was mined: a cancelled
/// transaction whose original was mined first is executed (CONFIRMED or reverted).
[[nodiscard]] Trigger verdict(const Transaction& transaction, const Receipt& final_receipt);

}  // namespace fencepost
