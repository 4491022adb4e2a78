// The checks of what a commit writes about a single transaction.
#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "domain/tx/requeue.hpp"
#include "domain/tx/transition_table.hpp"
#include "sim/simulation/store_checker.hpp"

namespace fencepost::sim {
namespace {

// geth's minimum for a replacement; ours is slightly higher.
constexpr BumpFactor nodes_rule{11, 10};

}  // namespace

void StoreChecker::take(const LaneWrite& write, const TxUpdate& update, Known& known) {
    const auto found = transactions_.find(update.tx);
    if (found == transactions_.end()) {
        return report("every write is about something accepted",
                      fmt::format("{} wrote about an unknown transaction", write.fence.node.value()), update.tx);
    }
    auto& tx = found->second;
    if (update.expected != tx.position) {
        report("a write compares the state it expects",
               fmt::format("expected {}, and it stood at {}", update.expected, tx.position), update.tx);
    }
    if (tx.position != update.to && !is_allowed_move(tx.position, update.to)) {
        report("states move along the table", fmt::format("{} → {}", tx.position, update.to), update.tx);
    }
    if (is_final(tx.position.state) && tx.position.state != update.to.state) {
        report("a verdict never changes", fmt::format("{} → {}", tx.position, update.to), update.tx);
    }
    if (update.nonce) {
        if (tx.nonce)
            report("law 3: a transaction has one nonce", fmt::format("{} and {}", *tx.nonce, *update.nonce), update.tx);
        const auto [other, is_new] = known.nonces.try_emplace(*update.nonce, update.tx);
        if (!is_new) report("law 3: a nonce is used once", fmt::format("nonce {} again", *update.nonce), update.tx);
        tx.nonce = update.nonce;
        tx.allocated_at = world_.now();
    }
    check_time_out(update.tx, tx, update);
    check_revocation(write, update, tx);
    if (update.requeue) apply_requeue(update.tx, tx);
    if (update.abandonment) tx.abandonment = *update.abandonment;
    for (const auto& claim : update.claims)
        apply_claim(update.tx, tx, claim);
    for (const auto& attempt : update.attempts)
        apply_attempt(update.tx, tx, attempt);
    for (const auto& event : update.events)
        tx.events.emplace_back(name_of(event));
    const bool settles = is_final(update.to.state) && !is_final(tx.position.state);
    tx.position = update.to;
    apply_receipt(update.tx, tx, update);
    if (settles) check_verdict(update.tx, tx);
}

// Whatever clock was set wrong: by the world's clock the transaction is at least as old as the configured time-out. A
// node's clock may be wrong by seconds. What the stuck policy or a connector look-up gives up is not checked here.
void StoreChecker::check_time_out(TxId id, const KnownTx& tx, const TxUpdate& update) {
    constexpr Duration wrong_clock = std::chrono::seconds(25);
    const bool marked = update.to.sub == SubState::timeout && tx.position.sub != SubState::timeout;
    const bool is_by_age = update.to.state != State::stuck && tx.claims.empty();
    if (!marked || !is_by_age || is_final(tx.position.state) || update.to.state == State::failed_final) return;
    const auto since = tx.nonce ? tx.allocated_at : tx.accepted_at;
    if (world_.now() + wrong_clock >= since + promised_.transaction_timeout) return;
    report("no clock makes a time-out come early",
           fmt::format("timed out after {}", std::chrono::duration_cast<std::chrono::seconds>(world_.now() - since)),
           id);
}

// Only an operator may replace an executed intent with a gap filler, and an event announces it (failure 46).
void StoreChecker::check_revocation(const LaneWrite& write, const TxUpdate& update, const KnownTx& tx) {
    if (!is_final(tx.position.state) || needs_gap_filler(tx.position.state, tx.abandonment)) return;
    const auto is_filler = [](const auto& variant) { return variant.kind == AttemptKind::filler; };
    // A connector's gap filler that was requested before the verdict may have its hash found after it.
    const bool fills = std::ranges::any_of(update.claims, is_filler) ||
                       (tx.claims.empty() && std::ranges::any_of(update.attempts, is_filler));
    if (!fills && update.abandonment.value_or(Abandonment::none) == Abandonment::none) return;
    if (write.commands_done.empty() || !cancels_.contains(update.tx)) {
        report("a verdict is revoked by an operator only",
               fmt::format("a gap filler at {}, which no operator requested", tx.position), update.tx);
    }
    const bool tells = std::ranges::any_of(
        update.events, [](const auto& event) { return std::holds_alternative<TxVerdictRevoked>(event); });
    if (!tells) report("a revoked verdict is announced", fmt::format("a gap filler at {}", tx.position), update.tx);
}

// Both transactions carry one intent: the second may be in flight only when the first can no longer be mined (failure
// 29).
void StoreChecker::apply_requeue(TxId id, KnownTx& tx) {
    if (!tx.nonce || !was_used_externally(tx.submitter, *tx.nonce)) {
        report(
            "law 3: an intent is queued again only when its nonce is lost permanently",
            fmt::format("it was queued again at {}, when no external transaction at its nonce was final", tx.position),
            id);
    }
    if (tx.is_requeued) report("law 3: an intent is queued again once", "it was queued again twice", id);
    tx.is_requeued = true;
    transactions_.emplace(requeued_id(id), KnownTx{.submitter = tx.submitter,
                                                   .intent = tx.intent,
                                                   .events = {std::string(TxAccepted::name)},
                                                   .accepted_at = world_.now()});
}

void StoreChecker::apply_attempt(TxId id, KnownTx& tx, const Attempt& attempt) {
    if (tx.nonce != attempt.nonce) report("law 3: a transaction has one nonce", "an attempt at another nonce", id);
    const auto [known, is_new] = by_hash_.try_emplace(attempt.hash, id);
    if (!is_new && known->second != id) report("bytes belong to one transaction", "two transactions, one hash", id);
    if (tx.claims.empty()) {
        check_kind(id, tx, attempt.kind);
        check_bytes(id, tx, attempt);
        check_fees(id, tx, attempt.kind, attempt.fees);
    } else if (std::ranges::none_of(tx.claims, [&](const ClaimedSend& c) { return is_made_of(attempt, c); })) {
        report("what a connector sent is what it was asked for", fmt::format("nonce {}", attempt.nonce), id);
    }
    tx.attempts.push_back(attempt);
}

// Checks the request to a connector as attempt bytes are checked.
void StoreChecker::apply_claim(TxId id, KnownTx& tx, const ClaimedSend& claim) {
    if (tx.nonce != claim.nonce) report("law 3: a transaction has one nonce", "a claim at another nonce", id);
    check_kind(id, tx, claim.kind);
    const bool is_intent = claim.to == tx.intent.to && claim.value == tx.intent.value && claim.data == tx.intent.data;
    const bool is_filler =
        claim.to == tx.submitter.evm_address()->to_lower() && claim.value == Wei() && claim.data.empty();
    if (claim.kind == AttemptKind::filler ? !is_filler : !is_intent) {
        report("law 3: a nonce carries one intent, or a gap filler", fmt::format("a claim at nonce {}", claim.nonce),
               id);
    }
    check_fees(id, tx, claim.kind, claim.fees);
    tx.claims.push_back(claim);
}

void StoreChecker::check_kind(TxId id, const KnownTx& tx, AttemptKind kind) {
    const bool wants = needs_gap_filler(tx.position.state, tx.abandonment);
    if ((kind == AttemptKind::filler) == wants) return;
    report("a gap filler stands for an abandoned transaction, and nothing else does",
           fmt::format("a {} for a transaction that was {}abandoned", name_of(kind), wants ? "" : "not "), id);
}

void StoreChecker::check_bytes(TxId id, const KnownTx& tx, const Attempt& attempt) {
    const auto& wire = cache_.decode(attempt.raw);
    if (!wire.decoded || wire.hash != attempt.hash) return report("what is on record is what is sent", "bad bytes", id);
    const auto& bytes = **wire.decoded;
    const bool is_ours = bytes.sender == *tx.submitter.evm_address() && bytes.nonce == attempt.nonce &&
                         bytes.fees == attempt.fees && bytes.gas_limit == attempt.gas_limit;
    const auto to = bytes.to ? std::optional(bytes.to->to_lower()) : std::nullopt;
    const bool is_intent = to == tx.intent.to && bytes.value == tx.intent.value && bytes.data == tx.intent.data;
    const bool is_filler = bytes.to == bytes.sender && bytes.value == Wei() && bytes.data.empty();
    if (is_ours && (attempt.kind == AttemptKind::filler ? is_filler : is_intent)) return;
    report("law 3: a nonce carries one intent, or a gap filler",
           fmt::format("the bytes at nonce {} are not what was requested", attempt.nonce), id);
}

void StoreChecker::check_fees(TxId id, const KnownTx& tx, AttemptKind kind, const Fees& fees) {
    const auto cap = kind == AttemptKind::filler ? promised_.filler_fee_cap : promised_.fee_cap;
    const bool callers_own = std::holds_alternative<Fees>(tx.intent.fee);
    if (!callers_own && max_fee(fees) > cap) {
        report("fees never exceed the cap", fmt::format("{} wei per gas", max_fee(fees).value()), id);
    }
    std::vector<Fees> before;
    std::ranges::transform(tx.attempts, std::back_inserter(before), &Attempt::fees);
    std::ranges::transform(tx.claims, std::back_inserter(before), &ClaimedSend::fees);
    if (before.empty()) return;
    const auto least = replacement_minimum(before, nodes_rule);
    if (least && max_fee(fees) >= max_fee(*least) && max_priority_fee(fees) >= max_priority_fee(*least)) return;
    report("a bump satisfies the replacement rule", fmt::format("nonce {}", *tx.nonce), id);
}

void StoreChecker::apply_receipt(TxId id, KnownTx& tx, const TxUpdate& update) {
    if (std::holds_alternative<RollBackReceipt>(update.receipt)) {
        if (tx.receipt && !chain_.is_disputed(tx.receipt->block_number, tx.receipt->block_hash)) {
            report("law 5: only a reorg takes a receipt back",
                   fmt::format("the receipt in block {} was rolled back, and no endpoint had another block",
                               tx.receipt->block_number),
                   id);
        }
        tx.receipt.reset();
    }
    const auto* receipt = std::get_if<Receipt>(&update.receipt);
    if (receipt == nullptr) return;
    const auto* block = chain_.ledger().block(receipt->block_hash);
    const bool is_true = block != nullptr && std::ranges::find(block->receipts, *receipt) != block->receipts.end();
    if (!is_true || owner_of(receipt->hash) != id) {
        report("a receipt is the chain's", fmt::format("a receipt in block {}", receipt->block_number), id);
    }
    if (is_true && !tx.claims.empty()) check_claimed_fields(id, tx, *block, receipt->hash);
    tx.receipt = *receipt;
}

// Before they are mined, no node knows the connector's bytes: only now can they be compared.
void StoreChecker::check_claimed_fields(TxId id, const KnownTx& tx, const SimBlock& block, const TxHash& hash) {
    const auto mined = std::ranges::find(block.transactions, hash, [](const auto& one) { return one->hash; });
    if (mined == block.transactions.end()) return;
    const auto& bytes = **mined;
    const auto to = bytes.to ? std::optional(bytes.to->to_lower()) : std::nullopt;
    const bool is_asked_for = std::ranges::any_of(tx.claims, [&](const ClaimedSend& claim) {
        return claim.nonce == bytes.nonce && claim.to == to && claim.value == bytes.value && claim.data == bytes.data &&
               claim.gas_limit == bytes.gas_limit && claim.fees == bytes.fees;
    });
    if (is_asked_for) return;
    report("what a connector sent is what it was asked for",
           fmt::format("another transaction at nonce {} was taken for it", bytes.nonce), id);
}

void StoreChecker::check_verdict(TxId id, const KnownTx& tx) {
    if (tx.position.state == State::confirmed && !tx.receipt)
        return report("law 5: CONFIRMED only at depth", "no receipt", id);
    if (!tx.receipt) return check_verdict_without_receipt(id, tx);
    check_mined_attempt(id, tx);
    const auto fate = chain_.fate_of(tx.receipt->block_hash);
    const bool is_deep = promised_.finality == lane::FinalityRule::depth
                             ? fate.depth >= promised_.confirmations_required
                         : promised_.finality == lane::FinalityRule::safe ? fate.was_safe
                                                                          : fate.was_finalized;
    if (!is_deep) {
        report("law 5: CONFIRMED only at depth",
               fmt::format("settled when its block {} was at depth {}", tx.receipt->block_number, fate.depth), id);
    }
    if (fate.removed_at && *fate.removed_at + max_staleness < world_.now()) {
        report("law 5: CONFIRMED only at depth",
               fmt::format("settled long after its block {} was removed", tx.receipt->block_number), id);
    }
}

// Possible without a receipt: it never had a nonce, an external transaction took its nonce, or its nonce was recycled.
void StoreChecker::check_verdict_without_receipt(TxId id, const KnownTx& tx) {
    if (tx.position.state == State::cancelled && tx.nonce)
        return report("law 5: no verdict before the gap filler is final", "no receipt", id);
    if (!tx.nonce) return;
    if (tx.position.sub != SubState::nonce_taken && holder_of(tx.submitter, *tx.nonce) == id) {
        return report("law 5: no verdict while it may yet be mined",
                      fmt::format("{}, and nonce {} is still its own", tx.position, *tx.nonce), id);
    }
    if (tx.position.sub != SubState::nonce_taken || was_used_externally(tx.submitter, *tx.nonce)) return;
    report("law 5: a nonce is used externally only when that is final", fmt::format("nonce {}", *tx.nonce), id);
}

// The verdict follows what was mined, not what was requested.
void StoreChecker::check_mined_attempt(TxId id, const KnownTx& tx) {
    const auto mined = std::ranges::find(tx.attempts, tx.receipt->hash, &Attempt::hash);
    const bool filler = mined != tx.attempts.end() && mined->kind == AttemptKind::filler;
    const bool executed = !filler && tx.receipt->succeeded;
    const bool may_be_cancelled = filler && tx.abandonment == Abandonment::cancelled;
    if (executed == (tx.position.state == State::confirmed) &&
        may_be_cancelled == (tx.position.state == State::cancelled))
        return;
    report("the verdict is what was mined",
           fmt::format("{}, and a {} was mined", tx.position, filler ? "gap filler" : "transaction"), id);
}

}  // namespace fencepost::sim
