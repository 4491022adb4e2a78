// Encoding of contract calls: specification examples, invalid arguments, limits.
#include "codec/abi/abi_call.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"
#include "codec/abi/abi_signature.hpp"
#include "codec/abi/test_abi.hpp"

namespace fencepost::codec {
namespace {

using test::word;

std::string left(std::string_view hex) { return std::string(hex) + std::string(64 - hex.size(), '0'); }

std::string call(std::string_view signature, std::string_view arguments) {
    const auto encoded = encode_call(signature, arguments);
    return encoded ? to_hex(*encoded) : encoded.error().what;
}

/// Encodes the single argument of f, without the selector.
std::string encoded_argument(std::string_view type, std::string_view argument) {
    const auto encoded = encode_call(fmt::format("f({})", type), fmt::format("[{}]", argument));
    return encoded ? to_hex(ByteView(*encoded).subspan(4)) : encoded.error().what;
}

bool is_refused(std::string_view type, std::string_view argument) {
    return !encode_call(fmt::format("f({})", type), fmt::format("[{}]", argument));
}

// The examples of Solidity's "Contract ABI Specification".
TEST(AbiCall, EncodesSpecificationExamples) {
    EXPECT_EQ(call("baz(uint32,bool)", R"([69, true])"), "cdcd77c0" + word(69) + word(1));
    EXPECT_EQ(call("bar(bytes3[2])", R"([["0x616263", "0x646566"]])"), "fce353f6" + left("616263") + left("646566"));
    EXPECT_EQ(call("sam(bytes,bool,uint256[])", R"(["0x64617665", true, [1, "2", "0x3"]])"),
              "a5643bf2" + word(0x60) + word(1) + word(0xa0) + word(4) + left("64617665") + word(3) + word(1) +
                  word(2) + word(3));
    EXPECT_EQ(call("f(uint256,uint32[],bytes10,bytes)",
                   R"(["0x123", ["0x456", "0x789"], "0x31323334353637383930", "0x48656c6c6f2c20776f726c6421"])"),
              "8be65246" + word(0x123) + word(0x80) + left("31323334353637383930") + word(0xe0) + word(2) +
                  word(0x456) + word(0x789) + word(13) + left("48656c6c6f2c20776f726c6421"));
    EXPECT_EQ(call("g(uint256[][],string[])", R"([[[1, 2], [3]], ["one", "two", "three"]])"),
              "2289b18c" + word(0x40) + word(0x140) + word(2) + word(0x40) + word(0xa0) + word(2) + word(1) + word(2) +
                  word(1) + word(3) + word(3) + word(0x60) + word(0xa0) + word(0xe0) + word(3) + left("6f6e65") +
                  word(3) + left("74776f") + word(5) + left("7468726565"));
}

TEST(AbiCall, EncodesTokenTransfer) {
    EXPECT_EQ(
        call("transfer(address to, uint256 amount)",
             R"(["0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "1000000000000000000"])"),
        "a9059cbb000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa96045" + word(1'000'000'000'000'000'000));
    EXPECT_EQ(call("pause()", "[]"), "8456cb59");
}

TEST(AbiCall, AcceptsIntegersUpToTypeLimit) {
    const std::string ones(64, 'f');
    EXPECT_EQ(encoded_argument("uint8", "255"), word(255));
    EXPECT_EQ(encoded_argument("uint8", "256"), "argument 1 (uint8): 256 does not fit");
    EXPECT_EQ(encoded_argument("uint8", "\"0xff\""), word(255));
    EXPECT_EQ(encoded_argument("int8", "127"), word(127));
    EXPECT_EQ(encoded_argument("int8", "\"-128\""), ones.substr(2) + "80");
    EXPECT_EQ(encoded_argument("int8", "-1"), ones);
    EXPECT_EQ(encoded_argument("int8", "\"-0x1\""), ones);
    EXPECT_EQ(encoded_argument("int8", "\"-0\""), word(0));
    EXPECT_EQ(encoded_argument("uint256", fmt::format("\"0x{}\"", ones)), ones);
    EXPECT_EQ(encoded_argument("int256", fmt::format("\"-0x8{}\"", std::string(63, '0'))), "8" + std::string(63, '0'));
    for (const auto* argument : {"128", "-129", "\"0xff\"", "\"-129\""})
        EXPECT_TRUE(is_refused("int8", argument)) << argument;
    EXPECT_TRUE(is_refused("int256", fmt::format("\"0x8{}\"", std::string(63, '0'))));
    EXPECT_TRUE(is_refused("int256", fmt::format("\"-0x8{}1\"", std::string(62, '0'))));
    EXPECT_TRUE(is_refused("uint256", fmt::format("\"0x1{}\"", std::string(64, '0'))));
    EXPECT_TRUE(is_refused("uint256", fmt::format("\"{}\"", std::string(100'000, '9'))));
    EXPECT_TRUE(is_refused("uint256", "-1"));
}

TEST(AbiCall, RejectsPossiblyRoundedNumbers) {
    EXPECT_EQ(encoded_argument("uint256", "9007199254740991"), word(9'007'199'254'740'991));
    EXPECT_EQ(
        encoded_argument("uint256", "9007199254740992"),
        "argument 1 (uint256): 9007199254740992 is a JSON number of 2^53 or more, which may have lost digits: write it "
        "as a string");
    for (const auto* argument : {"1.0", "1e3", "0.5", "-9007199254740992", "9223372036854775808",
                                 "1000000000000000000000", "1e400", "NaN", "Infinity"})
        EXPECT_TRUE(is_refused("int256", argument)) << argument;
}

TEST(AbiCall, RejectsMalformedIntegerText) {
    for (const auto* argument :
         {R"("")", R"("0x")", R"("-")", R"("--1")", R"("+1")", R"(" 1")", R"("1 ")", R"("1.0")", R"("1e3")", R"("0X1")",
          R"("1_000")", R"("1,000")", R"("ff")", R"("１")", "true", "null", "[1]", "{}"})
        EXPECT_TRUE(is_refused("int256", argument)) << argument;
}

TEST(AbiCall, ChecksAddresses) {
    EXPECT_EQ(encoded_argument("address", R"("0xd8da6bf26964af9d7eed9e03e53415d37aa96045")"),
              "000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa96045");
    EXPECT_EQ(encoded_argument("address", R"("0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045")"),
              "argument 1 (address): \"0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045\" has a wrong EIP-55 checksum; is it "
              "mistyped? (all lower case skips the check)");
    for (const auto* argument : {R"("")", R"("0x")", R"("d8da6bf26964af9d7eed9e03e53415d37aa96045")",
                                 R"("0xd8da6bf26964af9d7eed9e03e53415d37aa960")", R"("vitalik.eth")", "0", "null"})
        EXPECT_TRUE(is_refused("address", argument)) << argument;
}

TEST(AbiCall, ChecksBytesAndBooleansAndStrings) {
    EXPECT_EQ(encoded_argument("bytes", R"("0x")"), word(32) + word(0));
    EXPECT_EQ(encoded_argument("string", R"("")"), word(32) + word(0));
    EXPECT_EQ(encoded_argument("string", R"("\u00e9")"), word(32) + word(2) + left("c3a9"));
    EXPECT_EQ(encoded_argument("bytes32", fmt::format("\"0x{}\"", std::string(64, 'a'))), std::string(64, 'a'));
    EXPECT_EQ(encoded_argument("bytes4", R"("0x010203")"), "argument 1 (bytes4): 4 bytes are expected, not 3");
    EXPECT_EQ(encoded_argument("bytes", R"("0x123")"),
              "argument 1 (bytes): \"0x123\" is not 0x and an even number of hexadecimal digits");
    EXPECT_EQ(encoded_argument("bool", "1"), "argument 1 (bool): true or false is expected, not a number");
    for (const auto* argument : {R"("12")", R"("0X12")", R"("0xzz")", R"("abc")", "12", "[1,2]", "null"})
        EXPECT_TRUE(is_refused("bytes", argument)) << argument;
    for (const auto* argument : {R"("true")", "0", "null"})
        EXPECT_TRUE(is_refused("bool", argument)) << argument;
    for (const auto* argument : {"1", "null", "\"\xff\"", R"("\ud800")"})
        EXPECT_TRUE(is_refused("string", argument)) << argument;
}

TEST(AbiCall, AcceptsTuplesByOrderOrName) {
    const auto by_order = encoded_argument("(uint8 a, string b)", R"([1, "x"])");
    EXPECT_EQ(by_order, word(32) + word(1) + word(64) + word(1) + left("78"));
    EXPECT_EQ(encoded_argument("(uint8 a, string b)", R"({"b": "x", "a": 1})"), by_order);
    EXPECT_EQ(encoded_argument("(uint8 a, bool b) pair", R"({"a": 1})"),
              "argument 1 (pair: (uint8,bool)): \"b\" is missing");
    EXPECT_EQ(encoded_argument("(uint8 a)", R"({"a": 1, "c": 2})"),
              "argument 1 ((uint8)): there is no component \"c\"");
    EXPECT_TRUE(is_refused("(uint8, bool b)", R"({"b": true, "": 1})"));
    EXPECT_TRUE(is_refused("(uint8 a, uint8 a)", R"({"a": 1})"));
    EXPECT_TRUE(is_refused("(uint8 a, bool b)", "[1]"));
    EXPECT_TRUE(is_refused("(uint8 a, bool b)", "[1, true, true]"));
    EXPECT_TRUE(is_refused("(uint8 a)", "1"));
}

TEST(AbiCall, NamesInvalidArgument) {
    const auto amount =
        encode_call("pay(address to, uint8 amount)", R"(["0x0000000000000000000000000000000000000001", 300])");
    EXPECT_EQ(amount, err(AbiError{AbiError::Kind::arguments, "/1", "argument 2 (amount: uint8): 300 does not fit"}));
    const auto inside = encode_call("pay((address to, uint8[2] parts)[] orders)",
                                    R"([[{"to": "0x0000000000000000000000000000000000000001", "parts": [1, 300]}]])");
    EXPECT_EQ(inside,
              err(AbiError{AbiError::Kind::arguments, "/0/0/parts/1",
                           "argument 1 (orders: (address,uint8[2])[]), at /0/parts/1 (uint8): 300 does not fit"}));
    EXPECT_EQ(call("f(uint8[2])", "[[1]]"), "argument 1 (uint8[2]): 2 elements are expected, not 1");
    EXPECT_EQ(call("f(uint8[])", "[1]"), "argument 1 (uint8[]): an array is expected, not a number");
}

TEST(AbiCall, RejectsArgumentsThatAreNotAnArray) {
    EXPECT_EQ(encode_call("f(bool", "[]").error().kind, AbiError::Kind::signature);
    EXPECT_EQ(call("f(bool)", "[]"), "1 parameters, but 0 arguments");
    EXPECT_EQ(call("f()", "[1]"), "0 parameters, but 1 arguments");
    EXPECT_EQ(call("f(bool)", "true"), "the arguments must be an array, not true or false");
    for (const auto* text : {"", "[", "[true", "[true,]", "[true] x", "{\"a\":true}", "[True]"})
        EXPECT_EQ(encode_call("f(bool)", text).error().kind, AbiError::Kind::arguments) << text;
    const std::string deep(100'000, '[');
    EXPECT_EQ(encode_call("f(bool)", deep).error().kind, AbiError::Kind::arguments);
}

TEST(AbiCall, AcceptsArgumentsOfMaximumDepth) {
    const auto nested = [](char open, std::string_view inside, char close) {
        return std::string(max_abi_depth, open) + std::string(inside) + std::string(max_abi_depth, close);
    };
    EXPECT_EQ(encoded_argument(nested('(', "bool", ')'), nested('[', "true", ']')), word(1));
}

TEST(AbiCall, LimitsCallSize) {
    const auto bytes = [](std::size_t count) { return fmt::format("[\"0x{}\"]", std::string(2 * count, '0')); };
    const std::size_t largest = (max_abi_call - 4) / 32 * 32 - 64;
    EXPECT_EQ(encode_call("f(bytes)", bytes(largest)).value().size(), 4 + 64 + largest);
    EXPECT_EQ(encode_call("f(bytes)", bytes(largest + 1)).error().kind, AbiError::Kind::too_large);
    EXPECT_EQ(encode_call("f(bytes)", std::string(max_abi_arguments + 1, ' ')).error().kind, AbiError::Kind::too_large);

    std::string many = "[[[]";
    for (int i = 0; i < 100'000; ++i)
        many += ",[]";
    EXPECT_EQ(encode_call("f(bool[][])", many + "]]").error().kind, AbiError::Kind::too_large);
}

TEST(AbiCall, QuotesInputBriefly) {
    const auto long_text = encoded_argument("uint8", fmt::format("\"{}\"", std::string(10'000, 'x')));
    EXPECT_LT(long_text.size(), 300U);
    const std::string name(2'000, 'n');
    EXPECT_LT(call(name + "(bool)", "[]").size(), 300U);
    EXPECT_LT(call(fmt::format("f(bool {})", name), "[1]").size(), 300U);
    EXPECT_LT(call(fmt::format("f((bool {}))", name), "[{}]").size(), 300U);
    EXPECT_LT(call(fmt::format("f((bool {}))", name), fmt::format("[{{\"{}\": 1}}]", name)).size(), 400U);
    EXPECT_LT(call(name, "[]").size(), 300U);
    EXPECT_EQ(encoded_argument("uint8", R"("\u001b[2J")").find('\x1b'), std::string::npos);
}

RC_GTEST_PROP(AbiCallProperty, AcceptsMatchingArgumentsAndWritesWholeWords, (std::uint64_t seed)) {
    const auto made = test::RandomAbi(seed).next();
    const auto encoded = encode_call(made.signature, made.by_order);
    if (!encoded) RC_FAIL(made.signature + " " + made.by_order + ": " + encoded.error().what);
    RC_ASSERT(encoded->size() % 32 == 4U);
    RC_ASSERT(encode_call(made.canonical, made.by_order).value() == *encoded);
    RC_ASSERT(encode_call(made.signature, made.by_name).value() == *encoded);
}

// Property: an integer is accepted exactly when its type can represent it; the word holds the number modulo 2^256.
RC_GTEST_PROP(AbiCallProperty, IntegerFitsExactlyWhenTypeCanHoldIt, (std::int64_t number)) {
    const auto bits = static_cast<std::size_t>(8 * *rc::gen::inRange(1, 8));
    const auto argument = fmt::format("\"{}\"", number);
    const bool fits_unsigned = number >= 0 && (static_cast<std::uint64_t>(number) >> bits) == 0;
    const auto limit = std::int64_t{1} << (bits - 1);
    RC_ASSERT(is_refused(fmt::format("uint{}", bits), argument) == !fits_unsigned);
    RC_ASSERT(is_refused(fmt::format("int{}", bits), argument) == !(number >= -limit && number < limit));
    const auto high = std::string(48, number < 0 ? 'f' : '0');
    RC_ASSERT(encoded_argument("int64", argument) ==
              fmt::format("{}{:016x}", high, static_cast<std::uint64_t>(number)));
}

}  // namespace
}  // namespace fencepost::codec
