// Stored JSON decodes to the same values.
#include "store/json_codec.hpp"

#include <gtest/gtest.h>

namespace fencepost::store {
namespace {

TxHash hash(std::uint8_t n) {
    TxHash result;
    result.data.fill(n);
    return result;
}

std::vector<BlockRef> two_blocks() {
    BlockHash a;
    a.data[0] = 1;
    BlockHash b;
    b.data[31] = 2;
    return {{BlockNumber(7), a, {}}, {BlockNumber(8), b, a}};
}

TEST(JsonCodec, IntentsRoundTrip) {
    const std::vector<Intent> intents{
        {},
        {.to = "0xabc", .value = Wei(Uint256::max()), .data = {0, 255}, .gas_limit = Gas(~std::uint64_t{0})},
        {.to = "quote \" backslash \\ ü \x01", .fee = Speed::fast},
        {.fee = Fees(LegacyFee{Wei(1)}), .valid_until = UnixTime(std::chrono::microseconds(-1))},
        {.fee = Fees(DynamicFee{Wei(Uint256::max()), Wei(2)}), .valid_until = UnixTime(std::chrono::seconds(9))}};
    for (const auto& intent : intents)
        EXPECT_EQ(decode_intent(encode(intent)), intent) << encode(intent);
}

TEST(JsonCodec, GasParamsReceiptsAndBlocksRoundTrip) {
    const GasParams legacy{LegacyFee{Wei(5)}, Gas(21'000)};
    const GasParams dynamic{DynamicFee{Wei(Uint256::max()), Wei(0)}, Gas(1)};
    EXPECT_EQ(decode_gas_params(encode(legacy)), legacy);
    EXPECT_EQ(decode_gas_params(encode(dynamic)), dynamic);
    Receipt receipt{.hash = hash(1), .block_number = BlockNumber(9), .succeeded = true, .gas_used = Gas(3)};
    receipt.effective_gas_price = Wei(Uint256::max());
    EXPECT_EQ(decode_receipt(encode(receipt)), receipt);
    receipt.contract = "0xdef";
    EXPECT_EQ(decode_receipt(encode(receipt)), receipt);
    EXPECT_EQ(decode_blocks(encode(two_blocks())), two_blocks());
    EXPECT_EQ(decode_blocks("[]"), std::vector<BlockRef>{});
}

TEST(JsonCodec, EventsRoundTripByName) {
    const auto submitter = SubmitterId::evm(1, {});
    const std::vector<TxEventBody> events{TxAccepted{submitter},
                                          TxSubmitted{hash(3)},
                                          TxReceiptUpdated{BlockNumber(4), true},
                                          TxConfirmed{two_blocks(), true},
                                          TxFailed{"out \"of\" gas"},
                                          TxVerdictRevoked{State::confirmed, "by ops: twice"}};
    for (const auto& event : events) {
        const auto back = decode_event(name_of(event), encode(event));
        EXPECT_EQ(name_of(back), name_of(event));
        EXPECT_EQ(encode(back), encode(event));
    }
    EXPECT_EQ(encode(events.back()), R"({"verdict":"CONFIRMED","reason":"by ops: twice"})");
    EXPECT_EQ(encode(events[0]), R"({"submitter":"eip155:1:0x0000000000000000000000000000000000000000"})");
    const TxEventBody requeued = TxAccepted{submitter, TxId(Uuid{})};
    EXPECT_EQ(encode(requeued), R"({"submitter":"eip155:1:0x0000000000000000000000000000000000000000",)"
                                R"("requeuedFrom":"00000000-0000-0000-0000-000000000000"})");
    EXPECT_EQ(std::get<TxAccepted>(decode_event("TxAccepted", encode(requeued))).requeued_from, TxId(Uuid{}));
    EXPECT_EQ(std::get<TxAccepted>(decode_event("TxAccepted", encode(events[0]))).requeued_from, std::nullopt);
}

TEST(JsonCodec, DetailsRoundTrip) {
    for (const std::string detail : {"", "endpoint a: accepted", "\"\n\\"}) {
        EXPECT_EQ(decode_detail(encode_detail(detail)), detail);
    }
}

TEST(JsonCodec, SanitisesEndpointText) {
    const std::string mark = "\xef\xbf\xbd";
    EXPECT_EQ(decode_detail(encode_detail("bad \xff byte")), "bad " + mark + " byte");
    const TxEventBody failed = TxFailed{std::string("a\0b", 3)};
    EXPECT_EQ(std::get<TxFailed>(decode_event("TxFailed", encode(failed))).reason, "a" + mark + "b");
}

TEST(JsonCodecDeathTest, CorruptedColumnAborts) {
    EXPECT_DEATH((void)decode_intent("{"), "does not hold JSON");
    EXPECT_DEATH((void)decode_blocks(R"([{"number":1,"hash":"0x00","parentHash":"0x"}])"), "another length");
    EXPECT_DEATH((void)decode_event("TxUnheardOf", "{}"), "TxUnheardOf");
}

}  // namespace
}  // namespace fencepost::store
