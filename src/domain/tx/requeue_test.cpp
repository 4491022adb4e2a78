#include "domain/tx/requeue.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TxId tx(std::uint8_t n) {
    Uuid id;
    id.data[15] = n;
    return TxId(id);
}

TEST(Requeue, IdsDependOnlyOnTheOldTransaction) {
    EXPECT_EQ(requeued_id(tx(1)), requeued_id(tx(1)));
    EXPECT_NE(requeued_id(tx(1)), requeued_id(tx(2)));
    EXPECT_NE(requeued_id(tx(1)), tx(1));
    EXPECT_NE(requeued_id(requeued_id(tx(1))), requeued_id(tx(1))) << "it may lose its nonce, too";
    EXPECT_NE(requeued_request(tx(1)), requeued_request(tx(2)));
}

TEST(Requeue, IdIsAVersion8Uuid) {
    EXPECT_EQ(requeued_id(tx(1)).value().version(), 8);
    EXPECT_EQ(requeued_id(tx(1)).value().data[8] >> 6U, 2) << "the variant of RFC 9562";
}

TEST(Requeue, RequestIdIsReserved) {
    EXPECT_TRUE(is_reserved(requeued_request(tx(1))));
    EXPECT_FALSE(is_reserved(RequestId("requeue-1")));
}

TEST(Requeue, Failure29AllowsRequeueOnlyAfterPermanentNonceLoss) {
    for (const auto& [state, state_name] : enum_names<State>) {
        for (const auto& [sub, sub_name] : enum_names<SubState>) {
            const bool may = state == State::failed_final && sub == SubState::nonce_taken;
            EXPECT_EQ(may_be_requeued({state, sub}), may) << state_name << sub_name;
        }
    }
}

}  // namespace
}  // namespace fencepost
