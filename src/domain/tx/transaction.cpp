#include "domain/tx/transaction.hpp"

#include <algorithm>
#include <ranges>

#include "base/assert.hpp"

namespace fencepost {

bool Transaction::may(Trigger trigger) const { return move(position, trigger).has_value(); }

void Transaction::apply(Trigger trigger) {
    const auto next = move(position, trigger);
    FP_ASSERT(next.has_value(), "{}: {}", id, next.error().what());
    position = *next;
}

void Transaction::allocate(const Attempt& first) {
    FP_ASSERT(!nonce && attempts.empty(), "{} already has a nonce", id);
    apply(Trigger::allocate);
    nonce = first.nonce;
    attempts.push_back(first);
}

void Transaction::allocate(const ClaimedSend& first) {
    FP_ASSERT(!nonce && attempts.empty() && claims.empty(), "{} already has a nonce", id);
    apply(Trigger::allocate);
    nonce = first.nonce;
    claims.push_back(first);
}

void Transaction::add(const ClaimedSend& claim) {
    FP_ASSERT(nonce == claim.nonce, "{}: a claim at another nonce", id);
    claims.push_back(claim);
}

void Transaction::add(const Attempt& attempt) {
    FP_ASSERT(nonce == attempt.nonce, "{}: an attempt at another nonce", id);
    FP_ASSERT(attempt_with(attempt.hash) == nullptr, "{}: the same attempt twice", id);
    attempts.push_back(attempt);
}

void Transaction::abandon(Abandonment why) {
    FP_ASSERT(why != Abandonment::none);
    apply(Trigger::abandon);
    if (abandonment == Abandonment::none) abandonment = why;
}

void Transaction::revoke() {
    FP_ASSERT(is_removed(position) && !needs_gap_filler(*this), "{} at {}: there is no executed intent to revoke", id,
              position);
    abandonment = Abandonment::revoked;
}

const Attempt* Transaction::attempt_with(const TxHash& hash) const {
    const auto found = std::ranges::find(attempts, hash, &Attempt::hash);
    return found == attempts.end() ? nullptr : &*found;
}

// An abandoned intent that was executed all the same is settled with the abandonment cleared; for records from before
// that rule, CONFIRMED is sufficient.
bool needs_gap_filler(State state, Abandonment abandonment) {
    return state == State::confirmed ? abandonment == Abandonment::revoked : abandonment != Abandonment::none;
}

namespace {

template <typename Variant>
const Variant& to_send(const Transaction& transaction, const std::vector<Variant>& variants) {
    FP_ASSERT(!variants.empty(), "{} has no attempt to send", transaction.id);
    if (!is_final(transaction.position.state)) return variants.back();
    const bool filler = needs_gap_filler(transaction);
    for (const auto& variant : std::views::reverse(variants)) {
        if ((variant.kind == AttemptKind::filler) == filler) return variant;
    }
    return variants.back();
}

}  // namespace

const Attempt& attempt_to_send(const Transaction& transaction) { return to_send(transaction, transaction.attempts); }

const ClaimedSend& claim_to_send(const Transaction& transaction) { return to_send(transaction, transaction.claims); }

std::vector<ClaimedSend> open_claims(const Transaction& transaction) {
    std::vector<ClaimedSend> open;
    std::ranges::copy_if(transaction.claims, std::back_inserter(open), [&](const ClaimedSend& claim) {
        return std::ranges::none_of(transaction.attempts,
                                    [&](const Attempt& attempt) { return is_made_of(attempt, claim); });
    });
    return open;
}

std::vector<Fees> fees_offered(const Transaction& transaction) {
    std::vector<Fees> fees;
    std::ranges::transform(transaction.attempts, std::back_inserter(fees), &Attempt::fees);
    for (const auto& claim : open_claims(transaction))
        fees.push_back(claim.fees);
    return fees;
}

Gas first_gas_limit(const Transaction& transaction) {
    FP_ASSERT(!transaction.attempts.empty() || !transaction.claims.empty(), "{} has no limit yet", transaction.id);
    return transaction.claims.empty() ? transaction.attempts.front().gas_limit : transaction.claims.front().gas_limit;
}

Trigger verdict(const Transaction& transaction, const Receipt& final_receipt) {
    const auto* mined = transaction.attempt_with(final_receipt.hash);
    FP_ASSERT(mined != nullptr, "{}: a receipt of a hash that is not on record", transaction.id);
    if (mined->kind != AttemptKind::filler) {
        return final_receipt.succeeded ? Trigger::final_success : Trigger::final_revert;
    }
    switch (transaction.abandonment) {
        case Abandonment::cancelled:
            return Trigger::final_filler_cancelled;
        case Abandonment::timed_out:
            return Trigger::final_filler_timed_out;
        case Abandonment::refused:
            return Trigger::final_filler_refused;
        case Abandonment::none:
        case Abandonment::revoked:
            break;
    }
    FP_ASSERT(false, "{}: a gap filler was mined without an abandonment", transaction.id);
    FP_UNREACHABLE();
}

}  // namespace fencepost
