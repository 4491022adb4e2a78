#include "domain/tx/transaction.hpp"

#include <array>

#include <gtest/gtest.h>

#include "domain/chain/test_blocks.hpp"

namespace fencepost {
namespace {

using test::tx_hash;

Attempt attempt(AttemptKind kind, std::uint8_t n) {
    return {.kind = kind,
            .nonce = Nonce(5),
            .hash = tx_hash(n),
            .raw = {n},
            .fees = LegacyFee{Wei(n)},
            .gas_limit = Gas(21'000)};
}

Transaction queued() {
    return {.id = {}, .submitter = SubmitterId::evm(1, {}), .sequence = AcceptSequence(1), .position = {}};
}

// Allocated with attempt 1, bumped with attempt 2, cancelled with gap filler 3.
Transaction cancelled_in_flight() {
    auto transaction = queued();
    transaction.allocate(attempt(AttemptKind::original, 1));
    transaction.apply(Trigger::send_accepted);
    transaction.add(attempt(AttemptKind::bump, 2));
    transaction.abandon(Abandonment::cancelled);
    transaction.add(attempt(AttemptKind::filler, 3));
    return transaction;
}

Receipt receipt_of(std::uint8_t n, bool succeeded) { return {.hash = tx_hash(n), .succeeded = succeeded}; }

TEST(Transaction, GoesFromQueuedToConfirmedWithOneNonce) {
    auto transaction = queued();
    transaction.allocate(attempt(AttemptKind::original, 1));
    transaction.apply(Trigger::send_accepted);
    transaction.apply(Trigger::receipt_found);
    transaction.apply(verdict(transaction, receipt_of(1, true)));
    EXPECT_EQ(transaction.position.state, State::confirmed);
    EXPECT_EQ(transaction.nonce, Nonce(5));
}

TEST(Transaction, SendsTheLatestAttemptOrTheOneOfTheVerdict) {
    auto transaction = cancelled_in_flight();
    EXPECT_EQ(attempt_to_send(transaction).hash, tx_hash(3));
    transaction.apply(Trigger::receipt_found);
    auto confirmed = transaction;
    confirmed.apply(verdict(confirmed, receipt_of(1, true)));
    EXPECT_EQ(attempt_to_send(confirmed).hash, tx_hash(2)) << "never the gap filler of a confirmed transaction";
    auto cancelled = transaction;
    cancelled.apply(verdict(cancelled, receipt_of(3, true)));
    EXPECT_EQ(attempt_to_send(cancelled).hash, tx_hash(3));
}

struct WhatIsSent {
    Position position;
    Abandonment abandonment = Abandonment::none;
    std::uint8_t hash = 0;
};

TEST(Transaction, Failure46RemovedSettledTransactionSendsTheKindOfItsVerdict) {
    constexpr std::array rows{
        WhatIsSent{{State::confirmed, SubState::forked}, Abandonment::none, 2},
        WhatIsSent{{State::failed_final, SubState::forked}, Abandonment::none, 2},  // it reverted
        WhatIsSent{{State::cancelled, SubState::forked}, Abandonment::cancelled, 3},
        WhatIsSent{{State::failed_final, SubState::forked}, Abandonment::timed_out, 3},
        WhatIsSent{{State::failed_final, SubState::forked}, Abandonment::refused, 3},
        WhatIsSent{{State::confirmed, SubState::forked}, Abandonment::revoked, 3},
        WhatIsSent{{State::failed_final, SubState::forked}, Abandonment::revoked, 3},
    };
    for (const auto& row : rows) {
        auto transaction = cancelled_in_flight();
        transaction.position = row.position;
        transaction.abandonment = row.abandonment;
        EXPECT_EQ(attempt_to_send(transaction).hash, tx_hash(row.hash))
            << name_of(row.position.state) << ' ' << name_of(row.abandonment);
    }
}

TEST(Transaction, Failure46RevokingAVerdictKeepsThePosition) {
    auto transaction = cancelled_in_flight();
    transaction.position = {State::confirmed, SubState::forked};
    EXPECT_FALSE(needs_gap_filler(transaction)) << "it was abandoned, and executed all the same";
    transaction.revoke();
    EXPECT_TRUE(needs_gap_filler(transaction));
    EXPECT_EQ(transaction.position, (Position{State::confirmed, SubState::forked}));
    transaction.apply(Trigger::receipt_found);
    EXPECT_EQ(transaction.position, (Position{State::confirmed, SubState::none}));
}

TEST(Transaction, Failure06AnyMinedAttemptDecides) {
    for (const auto mined : {std::uint8_t{1}, std::uint8_t{2}}) {
        auto transaction = cancelled_in_flight();
        transaction.apply(Trigger::receipt_found);
        EXPECT_EQ(verdict(transaction, receipt_of(mined, true)), Trigger::final_success) << "attempt " << int{mined};
        EXPECT_EQ(verdict(transaction, receipt_of(mined, false)), Trigger::final_revert) << "attempt " << int{mined};
    }
}

TEST(Transaction, MinedGapFillerGivesTheVerdictOfItsReason) {
    auto transaction = cancelled_in_flight();
    EXPECT_EQ(verdict(transaction, receipt_of(3, true)), Trigger::final_filler_cancelled);
    transaction.abandonment = Abandonment::timed_out;
    EXPECT_EQ(verdict(transaction, receipt_of(3, true)), Trigger::final_filler_timed_out);
    transaction.abandonment = Abandonment::refused;
    EXPECT_EQ(verdict(transaction, receipt_of(3, true)), Trigger::final_filler_refused);
}

TEST(Transaction, FirstAbandonmentReasonIsKept) {
    auto transaction = cancelled_in_flight();
    transaction.apply(Trigger::receipt_found);
    transaction.apply(Trigger::receipt_rolled_back);
    transaction.abandon(Abandonment::timed_out);
    EXPECT_EQ(transaction.abandonment, Abandonment::cancelled);
}

TEST(Transaction, FindsAttemptsByHash) {
    const auto transaction = cancelled_in_flight();
    EXPECT_EQ(transaction.attempt_with(tx_hash(2))->kind, AttemptKind::bump);
    EXPECT_EQ(transaction.attempt_with(tx_hash(9)), nullptr);
}

TEST(TransactionDeathTest, BreakingALawAborts) {
    EXPECT_DEATH(queued().apply(Trigger::final_success), "is not allowed in QUEUED");
    EXPECT_DEATH(cancelled_in_flight().allocate(attempt(AttemptKind::original, 7)), "already has a nonce");
    auto other_nonce = attempt(AttemptKind::bump, 8);
    other_nonce.nonce = Nonce(6);
    EXPECT_DEATH(cancelled_in_flight().add(other_nonce), "another nonce");
    EXPECT_DEATH(cancelled_in_flight().add(attempt(AttemptKind::bump, 1)), "twice");
    EXPECT_DEATH((void)verdict(queued(), receipt_of(1, true)), "not on record");
    EXPECT_DEATH(cancelled_in_flight().revoke(), "no executed intent");
}

}  // namespace
}  // namespace fencepost
