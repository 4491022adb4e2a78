#include "domain/transaction.hpp"

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

const Attempt* Transaction::attempt_with(const TxHash& hash) const {
    const auto found = std::ranges::find(attempts, hash, &Attempt::hash);
    return found == attempts.end() ? nullptr : &*found;
}

const Attempt& attempt_to_send(const Transaction& transaction) {
    FP_ASSERT(!transaction.attempts.empty(), "{} has no bytes", transaction.id);
    const bool wants_filler = transaction.position.state != State::confirmed;
    for (const auto& attempt : std::views::reverse(transaction.attempts)) {
        if (!is_final(transaction.position.state)) return attempt;
        if ((attempt.kind == AttemptKind::filler) == wants_filler) return attempt;
    }
    return transaction.attempts.back();
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
            break;
    }
    FP_ASSERT(false, "{}: a filler was mined that nobody asked for", transaction.id);
    FP_UNREACHABLE();
}

}  // namespace fencepost
