// Decoding of revert data, also from hostile contracts.
#include "codec/revert.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"
#include "base/text/printable.hpp"
#include "codec/abi/test_abi.hpp"

namespace fencepost::codec {
namespace {

using test::word;

RevertReason decoded(const std::string& hex) { return decode_revert(from_hex(hex).value()); }

RevertReason message(std::string_view text) {
    return decoded("08c379a0" + word(32) + word(text.size()) + to_hex(as_bytes(text)));
}

TEST(Revert, HasNoReasonWithoutData) { EXPECT_EQ(decode_revert({}), (RevertReason{RevertReason::Kind::none, ""})); }

TEST(Revert, DecodesErrorString) {
    // As nodes return it: padded to whole words.
    const auto reason =
        decoded("08c379a0" + word(32) + word(26) + "4e6f7420656e6f7567682045746865722070726f76696465642e000000000000");
    EXPECT_EQ(reason, (RevertReason{RevertReason::Kind::message, "Not enough Ether provided."}));
    EXPECT_EQ(message(""), (RevertReason{RevertReason::Kind::message, ""}));
}

TEST(Revert, DescribesPanicCode) {
    EXPECT_EQ(decoded("4e487b71" + word(0x11)),
              (RevertReason{RevertReason::Kind::panic, "arithmetic overflow or underflow (panic 0x11)"}));
    EXPECT_EQ(decoded("4e487b71" + word(0x01)),
              (RevertReason{RevertReason::Kind::panic, "assertion failed (panic 0x01)"}));
    EXPECT_EQ(decoded("4e487b71" + word(0x99)), (RevertReason{RevertReason::Kind::panic, "panic 0x99"}));
}

TEST(Revert, ShowsCustomErrorAsHex) {
    EXPECT_EQ(decoded("cf479181" + word(1)), (RevertReason{RevertReason::Kind::custom, "0xcf479181" + word(1)}));
    EXPECT_EQ(decoded("01"), (RevertReason{RevertReason::Kind::custom, "0x01"}));
    const auto large = decode_revert(Bytes(100'000, 0xee));
    EXPECT_LT(large.text.size(), 300U);
    EXPECT_TRUE(large.text.ends_with("… (100000 bytes)"));
}

TEST(Revert, TreatsInvalidLengthsAsOpaqueData) {
    const std::string huge(64, 'f');
    for (const auto& hex :
         {std::string("08c379a0"), "08c379a0" + huge, "08c379a0" + word(32), "08c379a0" + word(32) + word(1),
          "08c379a0" + word(32) + huge, "08c379a0" + word(33) + word(0), "08c379a0" + word(~0ULL) + word(0),
          "08c379a0" + word(~0ULL - 31) + word(0), std::string("4e487b71"), "4e487b71" + word(1) + "00"}) {
        EXPECT_EQ(decoded(hex), (RevertReason{RevertReason::Kind::custom, "0x" + hex}));
    }
}

TEST(Revert, TruncatesLongMessage) {
    const auto reason = message(std::string(5'000, 'a'));
    EXPECT_EQ(reason.text, std::string(512, 'a') + "…");
}

TEST(Revert, ReplacesUnsafeCharacters) {
    EXPECT_EQ(message("a\nb\x1b[2Jc").text, "a\ufffdb\ufffd[2Jc");
    EXPECT_EQ(message("pay \u202e100").text, "pay \ufffd100");
    EXPECT_EQ(message("\xff\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80").text.find('\xff'), std::string::npos);
    EXPECT_EQ(message("余额不足 ñ 🙂").text, "余额不足 ñ 🙂");
    EXPECT_EQ(message("cut \xe4\xbd").text, "cut \ufffd\ufffd");
}

// printable() leaves the text unchanged, so it is well-formed UTF-8 without characters to replace.
RC_GTEST_PROP(RevertProperty, TextIsShortAndPrintable, (const Bytes& noise, bool as_message)) {
    const std::string text(noise.begin(), noise.end());
    const auto reason = as_message ? message(text) : decode_revert(noise);
    RC_ASSERT(reason.text.size() <= 520U);
    RC_ASSERT(printable(as_bytes(reason.text), 10'000) == reason.text);
}

}  // namespace
}  // namespace fencepost::codec
