#include "cli/send_body.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace fencepost::cli {
namespace {

using testing::HasSubstr;

const std::string receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

RequestedTx transfer() { return {.from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", .to = receiver}; }

std::string payload_of(const RequestedTx& wanted) {
    const auto body = body_of(wanted, "r");
    return body ? boost::json::serialize(body->at("payload")) : body.error();
}

TEST(SendBody, ContainsOnlyGivenFields) {
    auto wanted = transfer();
    wanted.value = "0.1 ether";
    wanted.gas = "21000";
    wanted.speed = "fast";
    const auto body = body_of(wanted, "order-17");
    ASSERT_TRUE(body) << body.error();
    EXPECT_EQ(boost::json::serialize(*body),
              R"({"submitter":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","requestId":"order-17","payload":{"to":")" +
                  receiver + R"(","value":"100000000000000000","gas":"21000","fee":"fast"}})");
    EXPECT_EQ(payload_of(transfer()), "{\"to\":\"" + receiver + "\"}");
}

TEST(SendBody, ReadsAmountsAsWeiUnlessTheyHaveAUnit) {
    const auto value_of = [](const std::string& text) {
        auto wanted = transfer();
        wanted.value = text;
        return payload_of(wanted);
    };
    EXPECT_THAT(value_of("7"), HasSubstr(R"("value":"7")"));
    EXPECT_THAT(value_of("0xff"), HasSubstr(R"("value":"255")"));
    EXPECT_THAT(value_of("1.5gwei"), HasSubstr(R"("value":"1500000000")"));
    EXPECT_THAT(value_of("1ether"), HasSubstr(R"("value":"1000000000000000000")"));
    EXPECT_THAT(value_of("1.5"), HasSubstr("is not an amount"));
    EXPECT_THAT(value_of("1e18"), HasSubstr("is not an amount"));
    EXPECT_THAT(value_of("-1"), HasSubstr("is not an amount"));
}

TEST(SendBody, EncodesACallWithItsArguments) {
    auto wanted = transfer();
    wanted.call = "f(address,uint256[],bool,string)";
    wanted.arguments = {receiver, R"(["1","2"])", "true", R"("true")"};
    EXPECT_THAT(payload_of(wanted), HasSubstr(R"x("abi":"f(address,uint256[],bool,string)","args":[")x" + receiver +
                                              R"(",["1","2"],true,"true"])"));
    wanted.arguments = {"[1,"};
    EXPECT_THAT(payload_of(wanted), HasSubstr("starts like JSON but is invalid"));
    wanted.arguments = {"115792089237316195423570985008687907853269984665640564039457584007913129639935"};
    EXPECT_THAT(payload_of(wanted), HasSubstr("\"11579208923731619542357098500868790785326998466564056403945758400791"
                                              "3129639935\""));
}

TEST(SendBody, ReadsDataFromAFile) {
    const test::TempFolder folder;
    auto wanted = transfer();
    wanted.data = "@" + folder.write("code", "0xC0FFEE\n").string();
    EXPECT_THAT(payload_of(wanted), HasSubstr(R"("data":"0xc0ffee")"));
    wanted.data = "@" + (folder.path() / "none").string();
    EXPECT_THAT(payload_of(wanted), HasSubstr("none cannot be read"));
    wanted.data = "0xabc";
    EXPECT_THAT(payload_of(wanted), HasSubstr("--data is not hexadecimal"));
}

TEST(SendBody, RejectsAMissingRecipientWithoutDeploy) {
    RequestedTx wanted{.from = "0x1", .data = "0x00"};
    EXPECT_THAT(payload_of(wanted), HasSubstr("--to is missing"));
    wanted.deploy = true;
    EXPECT_EQ(payload_of(wanted), R"({"data":"0x00"})");
    wanted.data.clear();
    EXPECT_THAT(payload_of(wanted), HasSubstr("--deploy needs --data with the contract's code"));
    wanted.to = receiver;
    EXPECT_THAT(payload_of(wanted), HasSubstr("cannot have --to"));
    EXPECT_THAT(payload_of({.to = receiver}), HasSubstr("--from is missing"));
}

TEST(SendBody, AcceptsFeeLimitsOrGasPriceOrSpeed) {
    auto wanted = transfer();
    wanted.max_fee = "30gwei";
    wanted.max_priority_fee = "1gwei";
    EXPECT_THAT(payload_of(wanted),
                HasSubstr(R"("fee":{"maxFeePerGas":"30000000000","maxPriorityFeePerGas":"1000000000"})"));
    wanted.gas_price = "1";
    EXPECT_THAT(payload_of(wanted), HasSubstr("either --gas-price"));
    wanted.speed = "fast";
    EXPECT_THAT(payload_of(wanted), HasSubstr("either --speed or explicit fees"));
    wanted = transfer();
    wanted.max_priority_fee = "1gwei";
    EXPECT_THAT(payload_of(wanted), HasSubstr("needs --max-fee"));
    wanted = transfer();
    wanted.max_fee = "30gwei";
    EXPECT_THAT(payload_of(wanted), HasSubstr("--max-fee also needs --max-priority-fee"));
    wanted = transfer();
    wanted.data = "0x00";
    wanted.call = "f()";
    EXPECT_THAT(payload_of(wanted), HasSubstr("either --data or --call"));
    wanted = transfer();
    wanted.arguments = {"1"};
    EXPECT_THAT(payload_of(wanted), HasSubstr("--args needs --call"));
}

TEST(BatchFile, AcceptsAnArrayOrAnObjectWithItems) {
    EXPECT_EQ(items_of(R"([{"a":1},{"b":2}])")->size(), 2U);
    EXPECT_EQ(items_of(R"({"items":[{"a":1}]})")->size(), 1U);
    EXPECT_THAT(items_of(R"({"item":[]})").error(), HasSubstr("neither an array"));
    EXPECT_THAT(items_of("[").error(), HasSubstr("invalid JSON"));
}

}  // namespace
}  // namespace fencepost::cli
