// Which node errors concern the node rather than the request.
#include "evm/errors/endpoint_error.hpp"

#include <gtest/gtest.h>

namespace fencepost::evm {
namespace {

Complaint of(std::int64_t code, std::string message) {
    return complaint_of(jsonrpc::ErrorAnswer{code, std::move(message), {}});
}

TEST(Complaints, ARateLimitInWordsIsOne) {
    EXPECT_EQ(of(-32005, "limit exceeded"), Complaint::slow_down);
    EXPECT_EQ(of(-32005, "daily request count exceeded, request rate limited"), Complaint::slow_down);
    EXPECT_EQ(of(429, "Your app has exceeded its compute units per second capacity"), Complaint::slow_down);
    EXPECT_EQ(of(-32000, "Too Many Requests"), Complaint::slow_down);
    EXPECT_EQ(of(-32007, "50/second request limit reached"), Complaint::slow_down);
}

TEST(Complaints, AMethodThatIsNotOfferedIsOne) {
    EXPECT_EQ(of(-32601, "the method eth_getBlockReceipts does not exist/is not available"), Complaint::not_offered);
    EXPECT_EQ(of(-32601, "Method not found"), Complaint::not_offered);
    EXPECT_EQ(of(-32004, "Method eth_getBlockReceipts is not supported"), Complaint::not_offered);
    EXPECT_EQ(of(-32000, "Method not supported"), Complaint::not_offered);
}

TEST(Complaints, MissingStateIsOne) {
    EXPECT_EQ(of(-32000, "missing trie node 2a (path ) state 0x2a is not available"), Complaint::lacks_state);
    EXPECT_EQ(of(-32000, "header not found"), Complaint::lacks_state);
    EXPECT_EQ(of(-32000, "historical state 2a is not available"), Complaint::lacks_state);
}

TEST(Complaints, WhatANodeSaysAboutATransactionIsNone) {
    EXPECT_EQ(of(-32603, "nonce too low"), Complaint::none);
    EXPECT_EQ(of(-32005, "Transaction gas limit exceeds block gas limit"), Complaint::none);
    EXPECT_EQ(of(-32004, "Upfront cost exceeds account balance"), Complaint::none);
    EXPECT_EQ(of(-32000, "account limit exceeded: pooled 64 txs"), Complaint::none);
    EXPECT_EQ(of(3, "execution reverted"), Complaint::none);
    EXPECT_EQ(of(-32000, "whatever"), Complaint::none);
}

bool is_general(std::int64_t code, std::string message) {
    return is_general_error(err(jsonrpc::Error(jsonrpc::ErrorAnswer{code, std::move(message), {}})));
}

TEST(GeneralErrors, AreThoseThatSpeakOfNothingWeKnow) {
    EXPECT_TRUE(is_general(-32603, "Internal error"));
    EXPECT_TRUE(is_general(-32000, "service temporarily unavailable"));
}

TEST(GeneralErrors, AreNotThoseAboutTheQuestionNorComplaints) {
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
