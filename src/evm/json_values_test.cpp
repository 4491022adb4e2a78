// Valid, unusual and malformed node JSON.
#include "evm/json_values.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "evm/test_json.hpp"

namespace fencepost::evm {
namespace {

using test::parse_json;

std::string hash_text(char digit) { return "0x" + std::string(64, digit); }

std::string block_text(std::string_view transactions) {
    return "{'number':'0x10','hash':'" + hash_text('a') + "','parentHash':'" + hash_text('b') +
           "','timestamp':'0x64','baseFeePerGas':'0x7','transactions':" + std::string(transactions) + "}";
}

std::string with(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
}

TEST(JsonValues, ReadsHexadecimalQuantity) {
    EXPECT_EQ(read_uint64(parse_json("'0x0'"), "x"), 0U);
    EXPECT_EQ(read_uint64(parse_json("'0xffffffffffffffff'"), "x"), ~0ULL);
    EXPECT_EQ(read_uint64(parse_json("'0x00ff'"), "x"), 255U) << "some nodes add leading zeros";
    EXPECT_EQ(read_quantity(parse_json("'0x" + std::string(64, 'f') + "'"), "x"), Uint256::max());
}

TEST(JsonValues, RejectsInvalidQuantityByFieldName) {
    for (const auto* text : {"null", "1", "-1", "1.5", "true", "{}", "[]", "''", "'0x'", "'12'", "'0X1'", "'0x-1'",
                             "'0x1 '", "' 0x1'", "'0xg'", "'0x0x1'", "'-0x1'", "'0x+1'"}) {
        const auto value = read_quantity(parse_json(text), "block.number");
        ASSERT_FALSE(value) << text;
        EXPECT_TRUE(value.error().what.starts_with("block.number ")) << value.error().what;
    }
    EXPECT_FALSE(read_quantity(parse_json("'0x1" + std::string(64, '0') + "'"), "x"));
    EXPECT_FALSE(read_uint64(parse_json("'0x10000000000000000'"), "x"));
}

TEST(JsonValues, DataConsistsOfWholeBytes) {
    EXPECT_EQ(read_data(parse_json("'0x'"), "x"), Bytes{});
    EXPECT_EQ(read_data(parse_json("'0x00Ff'"), "x"), (Bytes{0, 255}));
    for (const auto* text : {"'0x0'", "'00'", "'0xzz'", "'0x0x00'", "null", "7"})
        EXPECT_FALSE(read_data(parse_json(text), "x")) << text;
    EXPECT_FALSE(read_tx_hash(parse_json("'0x00'"), "x"));
    EXPECT_EQ(read_address(parse_json("'0xAb" + std::string(38, '0') + "'"), "x")->to_lower(),
              "0xab" + std::string(38, '0'))
        << "checksums are not verified here";
}

TEST(JsonValues, ReadsBlocksWithHashesOrTransactions) {
    const auto bare = read_block(parse_json(block_text("['" + hash_text('1') + "']")));
    const auto full = read_block(parse_json(block_text("[{'hash':'" + hash_text('1') + "'}]")));
    ASSERT_TRUE(bare && *bare) << bare.error().what;
    ASSERT_TRUE(full && *full);
    EXPECT_EQ((*bare)->ref.number, BlockNumber(16));
    EXPECT_EQ((*bare)->ref, (*full)->ref);
    EXPECT_EQ((*bare)->transactions, (*full)->transactions);
    EXPECT_EQ((*bare)->base_fee, Wei(7));
    EXPECT_EQ((*bare)->time, UnixTime(std::chrono::seconds(100)));
}

TEST(JsonValues, MissingBlockIsNotAnError) {
    const auto none = read_block(Json{});
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
}

TEST(JsonValues, AcceptsBlockWithoutBaseFee) {
    const auto block = read_block(parse_json(with(block_text("[]"), "'baseFeePerGas':'0x7',", "")));
    ASSERT_TRUE(block && *block);
    EXPECT_FALSE((*block)->base_fee);
}

TEST(JsonValues, RejectsIncompleteBlockByFieldName) {
    const auto good = block_text("[]");
    const std::vector<std::pair<std::string, std::string>> cases{
        {with(good, "'0x10'", "null"), "block.number"},
        {with(good, "'number'", "'no'"), "block.number"},
        {with(good, "'" + hash_text('a') + "'", "null"), "block.hash"},
        {with(good, hash_text('b'), "0xbb"), "block.parentHash"},
        {with(good, "'0x64'", "'0xffffffffffffffff'"), "block.timestamp"},
        {with(good, "'0x7'", "7"), "block.baseFeePerGas"},
        {with(good, "[]", "null"), "block.transactions"},
        {with(good, "[]", "[null]"), "block.transactions[].hash"},
        {with(good, "[]", "[{}]"), "block.transactions[].hash"},
        {"[]", "block"},
        {"'block'", "block"},
    };
    for (const auto& [text, field] : cases) {
        const auto block = read_block(parse_json(text));
        ASSERT_FALSE(block) << text;
        EXPECT_TRUE(block.error().what.starts_with(field + " ")) << block.error().what;
    }
}

std::string receipt_text() {
    return "{'transactionHash':'" + hash_text('1') + "','blockNumber':'0x10','blockHash':'" + hash_text('a') +
           "','status':'0x1','gasUsed':'0x5208','effectiveGasPrice':'0x3','contractAddress':null}";
}

TEST(JsonValues, ReadsReceiptBlockAndOutcome) {
    const auto receipt = read_receipt(parse_json(receipt_text()));
    ASSERT_TRUE(receipt && *receipt) << receipt.error().what;
    EXPECT_TRUE((*receipt)->succeeded);
    EXPECT_EQ((*receipt)->gas_used, Gas(21'000));
    EXPECT_EQ((*receipt)->effective_gas_price, Wei(3));
    EXPECT_EQ((*receipt)->block_number, BlockNumber(16));
    EXPECT_FALSE((*receipt)->contract);

    const auto failed = read_receipt(parse_json(with(receipt_text(), "'0x1',", "'0x0',")));
    ASSERT_TRUE(failed && *failed);
    EXPECT_FALSE((*failed)->succeeded);

    const auto deployed = read_receipt(parse_json(
        with(receipt_text(), "'contractAddress':null", "'contractAddress':'0x" + std::string(40, 'A') + "'")));
    ASSERT_TRUE(deployed && *deployed);
    EXPECT_EQ((*deployed)->contract, "0x" + std::string(40, 'a'));
}

TEST(JsonValues, ReceiptWithoutBlockIsMissing) {
    for (const auto& text : {std::string("null"), with(receipt_text(), "'" + hash_text('a') + "'", "null"),
                             with(receipt_text(), "'0x10'", "null")}) {
        const auto receipt = read_receipt(parse_json(text));
        ASSERT_TRUE(receipt) << text;
        EXPECT_FALSE(*receipt) << text;
    }
}

TEST(JsonValues, RejectsReceiptWithoutStatus) {
    for (const auto* status : {"null", "'0x2'", "1", "true"}) {
        const auto receipt =
            read_receipt(parse_json(with(receipt_text(), "'status':'0x1'", "'status':" + std::string(status))));
        ASSERT_FALSE(receipt) << status;
        EXPECT_TRUE(receipt.error().what.starts_with("receipt.status")) << receipt.error().what;
    }
    const auto old =
        read_receipt(parse_json(with(receipt_text(), "'status':'0x1'", "'root':'" + hash_text('c') + "'")));
    ASSERT_FALSE(old) << "before Byzantium";
}

TEST(JsonValues, ReadsPendingAndMinedTransactions) {
    const auto text = "{'hash':'" + hash_text('1') + "','from':'0x" + std::string(40, 'c') +
                      "','nonce':'0x9','blockNumber':'0x10','blockHash':'" + hash_text('a') + "'}";
    const auto mined = read_transaction(parse_json(text));
    ASSERT_TRUE(mined && *mined);
    EXPECT_EQ((*mined)->nonce, Nonce(9));
    EXPECT_EQ((*mined)->where.block_number, BlockNumber(16));
    const auto waiting = read_transaction(parse_json(with(text, "'blockNumber':'0x10'", "'blockNumber':null")));
    ASSERT_TRUE(waiting && *waiting);
    EXPECT_EQ((*waiting)->where, TxLocation{});

    const auto list = read_block_transactions(parse_json("{'transactions':[" + text + "]}"));
    ASSERT_TRUE(list && *list);
    EXPECT_EQ((*list)->at(0), **mined);
    EXPECT_FALSE(read_block_transactions(parse_json("{'transactions':['" + hash_text('1') + "']}")));
    EXPECT_FALSE(read_block_transactions(parse_json("{'transactions':[null]}")));
    EXPECT_FALSE(read_block_transactions(parse_json("{}")));
}

TEST(JsonValues, Writers) {
    EXPECT_EQ(write_number(BlockNumber(0)), Json("0x0"));
    EXPECT_EQ(write_number(BlockNumber(255)), Json("0xff"));
    EXPECT_EQ(write_data(Bytes{}), Json("0x"));
    EXPECT_EQ(write_data(Bytes{1, 255}), Json("0x01ff"));
    EXPECT_EQ(write_tag(At::finalized), Json("finalized"));
}

Json random_json(int depth) {
    switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
        case 0:
            return {};
        case 1:
            return *rc::gen::arbitrary<bool>();
        case 2:
            return *rc::gen::arbitrary<std::int64_t>();
        case 3:
            return Json(hash_text('a'));
        case 4:
            return Json("0x" + *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789abcxFg"))));
        case 5:
            return Json(*rc::gen::string<std::string>());
        case 6:
            return boost::json::array{random_json(depth - 1), random_json(depth - 1)};
        default:
            break;
    }
    boost::json::object object;
    for (const auto* name :
         {"number", "hash", "parentHash", "timestamp", "baseFeePerGas", "transactions", "from", "nonce", "blockNumber",
          "blockHash", "status", "gasUsed", "transactionHash", "contractAddress"})
        object[name] = random_json(depth - 1);
    return object;
}

RC_GTEST_PROP(JsonValues, NeverThrowsOnAnyInput, ()) {
    const auto json = random_json(3);
    (void)read_block(json);
    (void)read_receipt(json);
    (void)read_transaction(json);
    (void)read_block_transactions(json);
    (void)read_address(json, "x");
    const auto quantity = read_quantity(json, "x");
    if (quantity) RC_ASSERT(read_quantity(write_quantity(*quantity), "x").value() == *quantity);
    const auto data = read_data(json, "x");
    if (data) RC_ASSERT(read_data(write_data(*data), "x").value() == *data);
}

}  // namespace
}  // namespace fencepost::evm
