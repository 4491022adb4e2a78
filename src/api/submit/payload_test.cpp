// Invalid payloads, and the errors that callers get.
#include "api/json/json_input.hpp"
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class Payload : public ApiTest {
protected:
    Answer send(const std::string& payload) {
        return post("/api/v1/tx",
                    fmt::format(R"({{"submitter":"{}","requestId":"{}","payload":{}}})", alice, ++number_, payload));
    }
    std::string to(const std::string& more) { return fmt::format(R"({{"to":"{}",{}}})", recipient, more); }
    /// Which field of the payload is refused.
    std::string wrong(const std::string& payload) {
        const auto answer = send(payload);
        EXPECT_EQ(answer.status(), 422) << payload;
        return answer.status() == 422 ? answer.field() : answer.response.body;
    }

private:
    int number_ = 0;
};

TEST_F(Payload, AmountsAreStringsOrIntegersAndNeverDoubles) {
    for (const auto* value : {R"("5")", R"("0x5")", "5"}) {
        const auto answer = send(to(fmt::format(R"("value":{})", value)));
        ASSERT_EQ(answer.status(), 202) << answer.response.body;
        EXPECT_EQ(answer.json().at("payload").at("value"), "5");
    }
    for (const auto* value :
         {"5.0", "1e18", "-1", "100000000000000000000", "9007199254740992", R"("")", R"("-1")", R"("1.5")", "true",
          "[]", R"("115792089237316195423570985008687907853269984665640564039457584007913129639936")"}) {
        EXPECT_EQ(wrong(to(fmt::format(R"("value":{})", value))), "payload.value") << value;
    }
    EXPECT_NE(send(to(R"("value":1.0)")).why().find("as a string"), std::string::npos);
}

TEST_F(Payload, SuggestsAKnownFieldForAnUnknownOne) {
    const auto answer = send(to(R"("gasLimit":21000,"vlaue":"1")"));
    EXPECT_EQ(answer.status(), 422);
    const auto errors = answer.json().at("errors").as_array();
    ASSERT_EQ(errors.size(), 2U) << "all at once";
    EXPECT_EQ(errors[0].at("detail"), "unknown field; did you mean gas?");
    EXPECT_EQ(errors[1].at("field"), "payload.vlaue");
    EXPECT_EQ(errors[1].at("detail"), "unknown field; did you mean value?");
}

TEST_F(Payload, RejectsInvalidAddresses) {
    EXPECT_EQ(wrong(R"({"to":"0x1234"})"), "payload.to");
    EXPECT_EQ(wrong(R"({"to":"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046"})"), "payload.to") << "a wrong checksum";
    const auto right = send(R"({"to":"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"})");
    EXPECT_EQ(right.json().at("payload").at("to"), "0xd8da6bf26964af9d7eed9e03e53415d37aa96045");
}

TEST_F(Payload, EncodesACallFromSignatureAndArguments) {
    const auto answer = send(to(fmt::format(R"j("abi":"transfer(address,uint256)","args":["{}","16"])j", recipient)));
    ASSERT_EQ(answer.status(), 202) << answer.response.body;
    EXPECT_EQ(answer.json().at("payload").at("data"),
              "0xa9059cbb00000000000000000000000000000000000000000000000000000000000000cc"
              "0000000000000000000000000000000000000000000000000000000000000010");
    EXPECT_EQ(wrong(to(R"j("abi":"transfer(address","args":[])j")), "payload.abi");
    EXPECT_EQ(wrong(to(R"j("abi":"f(uint8)","args":["300"])j")), "payload.args[0]");
    EXPECT_EQ(wrong(to(R"j("abi":"f(uint8)","args":[1.5])j")), "payload.args[0]");
    EXPECT_EQ(wrong(to(R"j("args":["300"])j")), "payload.args");
    EXPECT_EQ(wrong(to(R"j("abi":"f()","data":"0x")j")), "payload.data");
    EXPECT_EQ(wrong(R"j({"abi":"f()"})j"), "payload.to");
}

TEST_F(Payload, DeploymentNeedsCodeAndNoDestination) {
    EXPECT_EQ(send(R"({"data":"0x6000"})").status(), 202);
    EXPECT_EQ(send(R"({"to":null,"data":"0x6000"})").status(), 202);
    EXPECT_EQ(wrong(R"({"value":"1"})"), "payload.to");
    EXPECT_EQ(wrong(R"({"data":"0x"})"), "payload.data");
    EXPECT_EQ(wrong(R"({"data":"6000"})"), "payload.data");
    EXPECT_EQ(wrong(R"({"data":"0x600"})"), "payload.data");
}

TEST_F(Payload, AcceptsASpeedOrFeesAsFee) {
    for (const auto* fee : {R"("fast")", R"({"gasPrice":"7"})", R"({"maxFeePerGas":"7","maxPriorityFeePerGas":"1"})"}) {
        const auto answer = send(to(fmt::format(R"("fee":{})", fee)));
        ASSERT_EQ(answer.status(), 202) << answer.response.body;
        EXPECT_EQ(boost::json::serialize(answer.json().at("payload").at("fee")), fee);
    }
    EXPECT_EQ(wrong(to(R"("fee":"quick")")), "payload.fee");
    EXPECT_EQ(wrong(to(R"("fee":5)")), "payload.fee");
    EXPECT_EQ(wrong(to(R"("fee":{})")), "payload.fee.gasPrice");
    EXPECT_EQ(wrong(to(R"("fee":{"gasPrice":"1","maxFeePerGas":"1"})")), "payload.fee.gasPrice");
    EXPECT_EQ(wrong(to(R"("fee":{"maxFeePerGas":"1"})")), "payload.fee.maxPriorityFeePerGas");
    EXPECT_EQ(wrong(to(R"("fee":{"maxFeePerGas":"1","maxPriorityFeePerGas":"2"})")),
              "payload.fee.maxPriorityFeePerGas");
}

TEST_F(Payload, RejectsInvalidGasAndTimes) {
    EXPECT_EQ(wrong(to(R"("gas":"0")")), "payload.gas");
    EXPECT_EQ(wrong(to(R"("gas":"0x10000000000000000")")), "payload.gas");
    EXPECT_EQ(wrong(to(R"("validUntil":"tomorrow")")), "payload.validUntil");
    const auto answer = send(to(R"("gas":21000,"validUntil":"2030-01-01T01:00:00+01:00")"));
    EXPECT_EQ(answer.json().at("payload").at("validUntil"), "2030-01-01T00:00:00.000Z");
    EXPECT_EQ(answer.json().at("payload").at("gas"), "21000");
}

TEST_F(Payload, RejectsTooDeepNesting) {
    const auto nested = [](std::size_t depth) {
        return fmt::format(R"({{"a":{}{}}})", std::string(depth - 1, '['), std::string(depth - 1, ']'));
    };
    EXPECT_EQ(post("/api/v1/tx", nested(max_json_depth)).field(), "submitter") << "it is read";
    const auto refused = post("/api/v1/tx", nested(max_json_depth + 1));
    EXPECT_EQ(refused.status(), 422);
    EXPECT_NE(refused.text("detail").find("The body is not JSON"), std::string::npos) << refused.response.body;
}

TEST_F(Payload, RejectsInvalidJsonWithTheReason) {
    const auto deep = std::string(100, '[') + std::string(100, ']');
    for (const auto& body : {std::string(), std::string("{"), std::string("{} x"), std::string("\"\xff\""),
                             std::string(R"({"a":1,"a":2})"), std::string(R"({"b":{"a":1,"c":[],"a":2}})"), deep,
                             std::string("null"), std::string("[]"), std::string("1e999"), std::string("{\"a\":01}"),
                             std::string("/* */{}"), std::string("\"\\ud800\"")}) {
        const auto answer = post("/api/v1/tx", body);
        EXPECT_EQ(answer.status(), 422) << body;
        EXPECT_EQ(answer.type(), "invalid-request") << body;
    }
    EXPECT_NE(post("/api/v1/tx", R"({"a":1,"a":2})").text("detail").find("\"a\" twice"), std::string::npos);
    auto request = post_request("/api/v1/tx", transfer("x"));
    request.headers = {};
    request.headers.add("Content-Type", "text/plain");
    EXPECT_EQ(ask(std::move(request)).status(), 415);
}

TEST_F(Payload, LimitsQuotedInputInErrors) {
    const std::string longest(500'000, 'x');
    const auto answer = send(to(fmt::format(R"("value":"{0}","{0}":1)", longest)));
    EXPECT_EQ(answer.status(), 422);
    EXPECT_LT(answer.response.body.size(), 3'000U);
    std::string many = R"("a":1)";
    for (int i = 0; i < 10'000; ++i)
        many += fmt::format(R"(,"field{}":1)", i);
    EXPECT_LT(send(to(many)).response.body.size(), 10'000U);
}

TEST_F(Payload, RejectsAnInvalidRequestId) {
    for (const auto& id :
         {std::string(), std::string(300, 'x'), std::string("a\\u0000b"), std::string("fencepost:requeue:x")}) {
        const auto answer = post("/api/v1/tx", transfer(id));
        EXPECT_EQ(answer.status(), 422) << id;
        EXPECT_EQ(answer.field(), "requestId") << id;
    }
}

}  // namespace
}  // namespace fencepost::api
