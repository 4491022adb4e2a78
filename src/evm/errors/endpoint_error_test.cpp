// Which node errors concern the node rather than the request.
#include "evm/errors/endpoint_error.hpp"

#include <gtest/gtest.h>

namespace fencepost::evm {
namespace {

EndpointError of(std::int64_t code, std::string message) {
    return endpoint_error_of(jsonrpc::ErrorAnswer{code, std::move(message), {}});
}

TEST(EndpointErrors, RecognisesRateLimitMessage) {
    EXPECT_EQ(of(-32005, "limit exceeded"), EndpointError::slow_down);
    EXPECT_EQ(of(-32005, "daily request count exceeded, request rate limited"), EndpointError::slow_down);
    EXPECT_EQ(of(429, "Your app has exceeded its compute units per second capacity"), EndpointError::slow_down);
    EXPECT_EQ(of(-32000, "Too Many Requests"), EndpointError::slow_down);
    EXPECT_EQ(of(-32007, "50/second request limit reached"), EndpointError::slow_down);
}

TEST(EndpointErrors, RecognisesUnsupportedMethod) {
    EXPECT_EQ(of(-32601, "the method eth_getBlockReceipts does not exist/is not available"),
              EndpointError::unsupported_method);
    EXPECT_EQ(of(-32601, "Method not found"), EndpointError::unsupported_method);
    EXPECT_EQ(of(-32004, "Method eth_getBlockReceipts is not supported"), EndpointError::unsupported_method);
    EXPECT_EQ(of(-32000, "Method not supported"), EndpointError::unsupported_method);
}

TEST(EndpointErrors, RecognisesMissingState) {
    EXPECT_EQ(of(-32000, "missing trie node 2a (path ) state 0x2a is not available"), EndpointError::missing_state);
    EXPECT_EQ(of(-32000, "header not found"), EndpointError::missing_state);
    EXPECT_EQ(of(-32000, "historical state 2a is not available"), EndpointError::missing_state);
}

TEST(EndpointErrors, IgnoresTransactionErrors) {
    EXPECT_EQ(of(-32603, "nonce too low"), EndpointError::none);
    EXPECT_EQ(of(-32005, "Transaction gas limit exceeds block gas limit"), EndpointError::none);
    EXPECT_EQ(of(-32004, "Upfront cost exceeds account balance"), EndpointError::none);
    EXPECT_EQ(of(-32000, "account limit exceeded: pooled 64 txs"), EndpointError::none);
    EXPECT_EQ(of(3, "execution reverted"), EndpointError::none);
    EXPECT_EQ(of(-32000, "whatever"), EndpointError::none);
}

bool is_general(std::int64_t code, std::string message) {
    return is_general_error(err(jsonrpc::Error(jsonrpc::ErrorAnswer{code, std::move(message), {}})));
}

TEST(GeneralErrors, MatchNoKnownPattern) {
    EXPECT_TRUE(is_general(-32603, "Internal error"));
    EXPECT_TRUE(is_general(-32000, "service temporarily unavailable"));
}

TEST(GeneralErrors, ExcludeRequestAndEndpointErrors) {
    EXPECT_FALSE(is_general(3, "execution reverted"));
    EXPECT_FALSE(is_general(-32000, "gas required exceeds allowance (30000000)"));
    EXPECT_FALSE(is_general(-32603, "nonce too low"));
    EXPECT_FALSE(is_general(-32602, "missing value for required argument 0"));
    EXPECT_FALSE(is_general(-32601, "Method not found"));
    EXPECT_FALSE(is_general(-32000, "header not found"));
    EXPECT_FALSE(is_general_error(jsonrpc::Answer(boost::json::value("0x1"))));
}

}  // namespace
}  // namespace fencepost::evm
