// A transaction as its lane sees it: the intent's place in the queue, its one nonce, every attempt made for it, and
// where it stands. It changes only along the table of moves.
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

/// Why the nonce is to be consumed by a filler. Kept beside the state, because the sub-state may say something more
/// urgent meanwhile (MINED, FORKED), and the verdict depends on it.
enum class Abandonment {
    none,
    cancelled,
    timed_out,
    refused,
    /// An operator cancelled it after its verdict, which says that the intent was executed, while its block was removed
    /// by a reorg. The verdict stays on record and no longer holds (failure 46).
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
    /// Where a connector signs: all that it was asked to send at this nonce, the latest last.
    std::vector<ClaimedSend> claims{};

    /// Moves along the table; anything else is a programmer's mistake, for the lane asked `may` first.
    void apply(Trigger trigger);
    [[nodiscard]] bool may(Trigger trigger) const;

    /// Gives it its one nonce (law 3).
    void allocate(const Attempt& first);
    /// The same where a connector signs: the attempt comes when its hash is known.
    void allocate(const ClaimedSend& first);
    /// A bump or a filler at the same nonce.
    void add(const Attempt& attempt);
    void add(const ClaimedSend& claim);
    /// The nonce is to be consumed by a filler; the first reason stands.
    void abandon(Abandonment why);
    /// The same for a settled one whose block a reorg removed. The verdict stays; only an operator may ask for this.
    void revoke();

    /// The attempt with this hash, or nothing: then the hash is not ours.
    [[nodiscard]] const Attempt* attempt_with(const TxHash& hash) const;
};

/// A gap filler is to be mined at its nonce, and not the intent. Of a settled one this is what its verdict rests on:
/// the intent where that was mined, also where it reverted; the filler where that was, or where the verdict was
/// revoked.
[[nodiscard]] bool wants_filler(State state, Abandonment abandonment);
[[nodiscard]] inline bool wants_filler(const Transaction& transaction) {
    return wants_filler(transaction.position.state, transaction.abandonment);
}

/// The attempt whose bytes are to be sent: the latest, which after a cancel is the filler. Of a settled one that a
/// reorg removed, the latest of the kind that its verdict rests on.
[[nodiscard]] const Attempt& attempt_to_send(const Transaction& transaction);

/// The same for what a connector is to be asked for again.
[[nodiscard]] const ClaimedSend& claim_to_send(const Transaction& transaction);
/// What a connector was asked for and no hash is known of: it may have been sent, or not.
[[nodiscard]] std::vector<ClaimedSend> open_claims(const Transaction& transaction);

/// The prices of all that was sent or may have been, the latest last; and the first one's limit.
[[nodiscard]] std::vector<Fees> fees_offered(const Transaction& transaction);
[[nodiscard]] Gas first_gas_limit(const Transaction& transaction);

/// What a receipt of one of its attempts means once it is final. The verdict is what was mined: a cancelled transaction
/// whose original got in first is executed (CONFIRMED or reverted).
[[nodiscard]] Trigger verdict(const Transaction& transaction, const Receipt& final_receipt);

}  // namespace fencepost
