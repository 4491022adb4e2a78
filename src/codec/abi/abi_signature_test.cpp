// Parsing of signatures: accepted forms, errors with positions, limits.
#include "codec/abi/abi_signature.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"
#include "codec/abi/test_abi.hpp"

namespace fencepost::codec {
namespace {

std::string canonical_of(std::string_view text) {
    const auto function = parse_abi_signature(text);
    return function ? canonical(*function) : "refused " + function.error().what;
}

std::string selector(std::string_view text) { return to_hex(selector_of(parse_abi_signature(text).value())); }

TEST(AbiSignature, ComputesWellKnownSelectors) {
    EXPECT_EQ(selector("transfer(address,uint256)"), "a9059cbb");
    EXPECT_EQ(selector("approve(address,uint256)"), "095ea7b3");
    EXPECT_EQ(selector("transferFrom(address,address,uint256)"), "23b872dd");
    EXPECT_EQ(selector("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"), "2eb2c2d6");
    EXPECT_EQ(selector("multicall(bytes[])"), "ac9650d8");
    EXPECT_EQ(selector("exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))"),
              "414bf389");
    EXPECT_EQ(selector("pause()"), "8456cb59");
}

TEST(AbiSignature, AcceptsSourceCodeDeclarations) {
    EXPECT_EQ(canonical_of("function transfer(address to, uint256 amount) external returns (bool)"),
              "transfer(address,uint256)");
    EXPECT_EQ(canonical_of("function f(uint a, int b, address payable c) public payable virtual override;"),
              "f(uint256,int256,address)");
    EXPECT_EQ(canonical_of("  f ( string calldata s ,\n\tbytes memory , uint8 [ 2 ] [ ] memory x ) "),
              "f(string,bytes,uint8[2][])");
    EXPECT_EQ(canonical_of("_$1(tuple(address to, (uint8,bool)[] parts)[3] orders)"),
              "_$1((address,(uint8,bool)[])[3])");
    EXPECT_EQ(canonical_of("functional(bool)"), "functional(bool)");
}

TEST(AbiSignature, KeepsParameterAndComponentNames) {
    const auto function = parse_abi_signature("f((address to, uint8)[] orders, bool)").value();
    EXPECT_EQ(function.parameters[0].name, "orders");
    EXPECT_EQ(function.parameters[0].inner[0].inner[0].name, "to");
    EXPECT_EQ(function.parameters[0].inner[0].inner[1].name, "");
    EXPECT_EQ(function.parameters[1].name, "");
}

TEST(AbiSignature, AcceptsExactlyTheValidSizes) {
    for (std::size_t bits = 0; bits <= 300; ++bits) {
        for (const auto* name : {"uint", "int"}) {
            const auto text = fmt::format("f({}{})", name, bits);
            const bool is_type = bits > 0 && bits <= 256 && bits % 8 == 0;
            EXPECT_EQ(canonical_of(text) == text, is_type) << text;
        }
    }
    for (std::size_t size = 0; size <= 40; ++size) {
        const auto text = fmt::format("f(bytes{})", size);
        EXPECT_EQ(canonical_of(text) == text, size > 0 && size <= 32) << text;
    }
}

TEST(AbiSignature, ErrorsNamePositionAndReason) {
    EXPECT_EQ(canonical_of(""), "refused at character 1: a function name is expected, and the signature ends");
    EXPECT_EQ(canonical_of("transfer"), "refused at character 9: \"(\" is expected, and the signature ends");
    EXPECT_EQ(canonical_of("f(uint256"), "refused at character 10: \",\" or \")\" is expected, and the signature ends");
    EXPECT_EQ(canonical_of("f(bool,)"), "refused at character 8: a type is expected, and \")\" was found");
    EXPECT_EQ(canonical_of("f(address uint256)"),
              "refused at character 11: a \",\" is missing before the type \"uint256\"");
    EXPECT_EQ(canonical_of("f(uint7)"),
              "refused at character 3: \"uint7\" is not a type: an integer has 8, 16, 24 … 256 bits");
    EXPECT_EQ(canonical_of("f(Token token)"),
              "refused at character 3: \"Token\" is not an ABI type (an enum is uint8, a contract address, a struct a "
              "tuple)");
    EXPECT_EQ(canonical_of("f() internal"), "refused at character 5: \"internal\" is not allowed after the parameters");
}

TEST(AbiSignature, RejectsNonCallableSignatures) {
    for (const auto* text : {"(uint256)",
                             "function(uint256)",
                             "1f()",
                             "f(bool 1a)",
                             "f(())",
                             "f(bool[0])",
                             "f(bool[01])",
                             "f(bool[x])",
                             "f(bool[-1])",
                             "f(bool[1)",
                             "f(bool[99999999999999999999])",
                             "f(bool[1000000])",
                             "f(fixed128x18)",
                             "f(function)",
                             "f(uint0256)",
                             "f(uint256 )x",
                             "f())",
                             "f()()",
                             "f(bool) returns",
                             "f(bool,,bool)",
                             "constructor(uint256)",
                             "f(address,uint256 payable)x",
                             "f\0(bool)",
                             "f(bool)\xff",
                             "f(b\xc3\xb6ol)"}) {
        EXPECT_TRUE(canonical_of(text).starts_with("refused ")) << text;
    }
    EXPECT_TRUE(canonical_of(std::string_view("f\0(bool)", 8)).starts_with("refused ")) << "a zero byte";
}

TEST(AbiSignature, LimitsLengthAndDepth) {
    const auto nested = [](std::size_t depth) {
        return "f(" + std::string(depth, '(') + "bool" + std::string(depth, ')') + ")";
    };
    EXPECT_TRUE(parse_abi_signature(nested(max_abi_depth)));
    EXPECT_FALSE(parse_abi_signature(nested(max_abi_depth + 1)));
    EXPECT_FALSE(parse_abi_signature(std::string(max_abi_signature, '(')));

    std::string brackets;
    for (std::size_t i = 0; i < max_abi_depth; ++i)
        brackets += "[]";
    EXPECT_TRUE(parse_abi_signature("f(bool" + brackets + ")"));
    EXPECT_FALSE(parse_abi_signature("f(bool" + brackets + "[1])"));
    EXPECT_FALSE(parse_abi_signature("f((bool" + brackets + "))"));
    EXPECT_FALSE(parse_abi_signature("f(bool a" + std::string(max_abi_signature, 'a') + ")"));
}

RC_GTEST_PROP(AbiSignatureProperty, NamesDoNotChangeMeaning, (std::uint64_t seed)) {
    const auto made = test::RandomAbi(seed).next();
    RC_ASSERT(canonical_of(made.signature) == made.canonical);
    RC_ASSERT(canonical_of(made.canonical) == made.canonical);
}

}  // namespace
}  // namespace fencepost::codec
