// Round trip of progress, omitted defaults, tolerance of other versions.
#include "store/tx_progress_codec.hpp"

#include <gtest/gtest.h>

namespace fencepost::store {
namespace {

using namespace std::chrono_literals;

TEST(TxProgressCodec, RoundTrips) {
    TxProgress progress{.written_at = UnixTime(1'763'500'000'123ms),
                        .sent_for = 3s,
                        .resend_in = 60s,
                        .bump_in = -1s,
                        .stuck_in = 1h,
                        .lookup_for = 5min};
    progress.facts = {.send_claimed = true,
                      .was_held = true,
                      .missing = true,
                      .fee_capped = true,
                      .resends = 1,
                      .unaccepted_sends = 2,
                      .tries = 3,
                      .refusal_rounds = 4,
                      .stuck_decision = StuckDecision::hand_to_person,
                      .with_operator = true};
    EXPECT_EQ(decode_tx_progress(encode(progress)), progress);
    EXPECT_EQ(decode_tx_progress(encode(TxProgress{})), TxProgress{});
}

TEST(TxProgressCodec, OmitsDefaults) {
    const TxProgress taken{
        .sent_for = 2ms, .resend_in = 60s, .bump_in = 60s, .stuck_in = 1h, .facts = {.was_held = true}};
    EXPECT_EQ(encode(taken), R"({"at":0,"due":[60000,60000,3600000,2]})");
}

// Its clocks then restart, instead of all being due at once.
TEST(TxProgressCodec, UnreadableTextIsEmpty) {
    for (const auto* text :
         {"", "[]", "null", "{}", R"({"at":0,"due":7})", R"({"at":0,"due":[1,2]})", R"({"due":[1,2,3]})"})
        EXPECT_EQ(decode_tx_progress(text), std::nullopt) << text;
}

TEST(TxProgressCodec, IgnoresUnknownFields) {
    const auto read = decode_tx_progress(
        R"({"at":0,"due":[1,2,3],"decision":"moon","tries":"x","resends":-1,"claimed":1,"newer":[1]})");
    const TxProgress expected{.resend_in = 1ms, .bump_in = 2ms, .stuck_in = 3ms, .facts = {.was_held = true}};
    EXPECT_EQ(read, expected);
}

TEST(TxProgressCodec, ClampsImplausibleDurations) {
    const auto progress = decode_tx_progress(R"({"at":0,"due":[9223372036854775807,0,0],"tries":99999999999})");
    EXPECT_LE(progress.value().resend_in, std::chrono::years(10));
    EXPECT_EQ(progress.value().facts.tries, UINT32_MAX);
}

}  // namespace
}  // namespace fencepost::store
