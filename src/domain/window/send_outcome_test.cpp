#include "domain/window/send_outcome.hpp"

#include <gtest/gtest.h>

#include "domain/tx/tx_event.hpp"

namespace fencepost {
namespace {

TEST(SendOutcome, OnlyAcceptedAndAlreadyKnownMeanHeld) {
    for (const auto& [outcome, name] : enum_names<SendOutcome>) {
        EXPECT_EQ(is_held(outcome), name == "accepted" || name == "already_known") << name;
    }
}

TEST(SendOutcome, NamesRoundTrip) {
    for (const auto& [outcome, name] : enum_names<SendOutcome>)
        EXPECT_EQ(value_of<SendOutcome>(name), outcome);
    for (const auto& [refusal, name] : enum_names<Refusal>)
        EXPECT_EQ(value_of<Refusal>(name), refusal);
}

TEST(TxEvent, EventNamesAreAsRequired) {
    EXPECT_EQ(name_of(TxEventBody(TxAccepted{SubmitterId::evm(1, {})})), "TxAccepted");
    EXPECT_EQ(name_of(TxEventBody(TxSubmitted{})), "TxSubmitted");
    EXPECT_EQ(name_of(TxEventBody(TxReceiptUpdated{})), "TxReceiptUpdated");
    EXPECT_EQ(name_of(TxEventBody(TxConfirmed{})), "TxConfirmed");
    EXPECT_EQ(name_of(TxEventBody(TxFailed{})), "TxFailed");
}

}  // namespace
}  // namespace fencepost
