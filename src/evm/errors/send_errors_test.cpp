// Messages of all clients and their outcomes.
#include "evm/errors/send_errors.hpp"

#include <vector>

#include <boost/json/value.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost::evm {
namespace {

using enum SendOutcome;

struct Vector {
    SendOutcome outcome;
    std::int64_t code;
    std::string_view message;
};

// Messages of six clients, from their sources; "…" stands for what they fill in.
const std::vector<Vector>& vectors() {
    static const std::vector<Vector> all{
        // geth
        {nonce_too_low, -32000, "nonce too low: next nonce 7, tx nonce 5"},
        {already_known, -32000, "already known"},
        {already_known, -32000, "known transaction: 2a1b3c"},
        {replacement_underpriced, -32000, "replacement transaction underpriced"},
        {replacement_underpriced, -32000,
         "replacement transaction underpriced: new tx gas fee cap 2 <= 3 queued + replacement penalty"},
        {underpriced, -32000, "transaction underpriced"},
        {price_floor, -32000, "transaction underpriced: gas tip cap 1000000, minimum needed 1000000000"},
        {price_floor, -32000, "transaction gas price below minimum: gas tip cap 1, minimum needed 25000000"},
        {fee_below_base_fee, -32000, "max fee per gas less than block base fee: address 0xAb, maxFeePerGas: 1"},
        {tip_above_cap, -32000, "max priority fee per gas higher than max fee per gas: address 0xAb"},
        {node_fee_cap, -32000, "tx fee (1.20 ether) exceeds the configured cap (1.00 ether)"},
        {insufficient_funds, -32000, "insufficient funds for gas * price + value: balance 0, tx cost 21000"},
        {intrinsic_gas, -32000, "intrinsic gas too low: gas 20000, minimum needed 21000"},
        {intrinsic_gas, -32000, "insufficient gas for floor data gas cost: have 21000, want 25000"},
        {over_block_gas_limit, -32000, "exceeds block gas limit"},
        {over_block_gas_limit, -32000, "transaction gas limit too high (cap: 16777216, tx: 20000000)"},
        {pool_full, -32000, "txpool is full"},
        {account_limit, -32000, "account limit exceeded: pooled 64 txs"},
        {account_limit, -32000, "future transaction tries to replace pending"},
        {nonce_too_high, -32000, "nonce too high: tx nonce 9, gapped nonce 5"},
        {account_limit, -32000, "gapped-nonce tx from delegated accounts"},
        {account_limit, -32000, "in-flight transaction limit reached for delegated accounts"},
        {account_limit, -32000, "authority already reserved"},
        {account_limit, -32000, "address already reserved"},
        {rejected, -32000, "oversized data: transaction size 140000, limit 131072"},
        // Nethermind, current and old form
        {nonce_too_low, -32010, "nonce too low"},
        {nonce_too_low, -32010, "OldNonce, Current nonce: 5, nonce of rejected tx: 4"},
        {already_known, -32010, "AlreadyKnown"},
        {already_known, -32010, "OwnNonceAlreadyUsed"},
        {replacement_underpriced, -32010, "ReplacementNotAllowed"},
        {underpriced, -32010, "FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 2"},
        {underpriced, -32010, "FeeTooLowToCompete"},
        {tip_above_cap, -32010, "InvalidMaxPriorityFeePerGas: Cannot be higher than maxFeePerGas."},
        {insufficient_funds, -32010,
         "insufficient funds for gas * price + value, Balance is 0 less than sending value"},
        {insufficient_funds, -32010, "InsufficientFunds, Account balance: 0, cumulative cost: 21000"},
        {intrinsic_gas, -32010, "transaction invalid, intrinsic gas too low"},
        {over_block_gas_limit, -32010, "gas limit reached, Gas limit: 30000000, gas limit of rejected tx: 40000000"},
        {over_block_gas_limit, -32010, "GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 40000000"},
        {nonce_too_high, -32010, "nonce too high"},
        {nonce_too_high, -32010, "NonceGap, Future nonce. Expected nonce: 5"},
        {nonce_too_high, -32010, "nonce too far in future"},
        // Besu
        {nonce_too_low, -32001, "Nonce too low"},
        {already_known, -32000, "Known transaction"},
        {replacement_underpriced, -32000, "Replacement transaction underpriced"},
        {price_floor, -32009, "Gas price below configured minimum gas price"},
        {fee_below_base_fee, -32009, "Gas price below current base fee"},
        {tip_above_cap, -32000, "Max priority fee per gas exceeds max fee per gas"},
        {node_fee_cap, -32000, "Transaction fee cap exceeded"},
        {insufficient_funds, -32004, "Upfront cost exceeds account balance"},
        {intrinsic_gas, -32003, "Intrinsic gas exceeds gas limit"},
        {over_block_gas_limit, -32005, "Transaction gas limit exceeds block gas limit"},
        {over_block_gas_limit, -32005, "Transaction gas limit cap exceeded"},
        {nonce_too_high, -32006, "Nonce too high"},
        {account_limit, -32006, "Transaction nonce is too distant from current sender nonce"},
        // Erigon
        {nonce_too_low, -32000, "INTERNAL_ERROR: nonce too low"},
        {already_known, -32000, "ALREADY_EXISTS: already known"},
        {already_known, -32000, "existing txn with same hash"},
        {replacement_underpriced, -32000, "FEE_TOO_LOW: replacement transaction underpriced"},
        {replacement_underpriced, -32000, "could not replace existing tx"},
        {underpriced, -32000, "FEE_TOO_LOW: underpriced"},
        {underpriced, -32000, "fee too low"},
        {insufficient_funds, -32000, "INTERNAL_ERROR: insufficient funds"},
        {intrinsic_gas, -32000, "INTERNAL_ERROR: IntrinsicGas"},
        {over_block_gas_limit, -32000, "gas limit is too high"},
        {pool_full, -32000, "pending sub-pool is full"},
        {pool_full, -32000, "baseFee sub-pool is full"},
        {pool_full, -32000, "queued sub-pool is full"},
        {nonce_too_high, -32000, "nonce gap too large: 40"},
        // anvil
        {already_known, -32003, "transaction already imported"},
        {insufficient_funds, -32003, "Insufficient funds for gas * price + value"},
        {intrinsic_gas, -32003, "intrinsic gas too low"},
        {over_block_gas_limit, -32003, "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit"},
        {nonce_too_high, -32003, "Nonce too high"},
        // Hardhat
        {nonce_too_low, -32000, "Transaction nonce too low. Expected nonce to be at least 5 but got 4."},
        {nonce_too_low, -32000,
         "Nonce too low. Expected nonce to be 5 but got 4. Note that transactions can't be queued when automining."},
        {already_known, -32000, "Known transaction: 0x2a1b"},
        {replacement_underpriced, -32000,
         "Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 9 is necessary to replace it."},
        {price_floor, -32000, "Transaction gas price is 1, which is below the minimum of 8000000000"},
        {fee_below_base_fee, -32000,
         "Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 875000000"},
        {fee_below_base_fee, -32000,
         "Transaction gasPrice (1) is too low for the next block, which has a baseFeePerGas of 875000000"},
        {insufficient_funds, -32000, "Sender doesn't have enough funds to send tx. The max upfront cost is: 1"},
        {intrinsic_gas, -32000, "Transaction requires at least 21000 gas but got 20000"},
        {over_block_gas_limit, -32000, "Transaction gas limit is 60000001 and exceeds block gas limit of 60000000"},
        {over_block_gas_limit, -32000,
         "Transaction gas limit is 500000000 and exceeds transaction gas cap of 16777216"},
        {nonce_too_high, -32000, "Nonce too high. Expected nonce to be 5 but got 9."},
        // wrapped by a provider
        {nonce_too_low, -32603, "nonce too low"},
        {nonce_too_low, -32603, "Internal error: [upstream] err: nonce too low: next nonce 7, tx nonce 5"},
        // Besu's codes with unknown messages
        {nonce_too_low, -32001, "The nonce was used"},
        {invalid_signature, -32002, "The signature is wrong"},
        {intrinsic_gas, -32003, "Intrinsic gas is more than was offered"},
        {insufficient_funds, -32004, "The balance does not cover it"},
        {over_block_gas_limit, -32005, "The gas limit is above the block's"},
        {nonce_too_high, -32006, "The nonce is in the future"},
        {fee_below_base_fee, -32009, "Offers less than the base fee"},
        {underpriced, -32009, "The gas price is too small"},
    };
    return all;
}

TEST(SendErrors, ClassifiesMessagesOfAllClients) {
    for (const auto& v : vectors())
        EXPECT_EQ(outcome_of(v.code, v.message), v.outcome) << v.message;
}

TEST(SendErrors, ClassifiesMessagesInRequirements) {
    EXPECT_EQ(outcome_of(-32000, "tx already exists"), already_known);
    EXPECT_EQ(outcome_of(-32000, "invalid nonce"), nonce_too_low);
    EXPECT_EQ(outcome_of(-32000, "balance too low"), insufficient_funds);
    EXPECT_EQ(outcome_of(-32000, "gas too low"), intrinsic_gas);
    EXPECT_EQ(outcome_of(3, "execution reverted"), rejected);
    EXPECT_EQ(outcome_of(-32000, "invalid sender"), invalid_signature);
    EXPECT_EQ(outcome_of(-32000, "invalid signature"), invalid_signature);
}

TEST(SendErrors, RevertReasonIsNotMistakenForNodeError) {
    EXPECT_EQ(outcome_of(3, "execution reverted: insufficient funds"), rejected);
    EXPECT_EQ(
        outcome_of(-32603, "VM Exception while processing transaction: reverted with reason string 'already known'"),
        unknown);
    EXPECT_EQ(outcome_of(-32603, "Error: reverted with custom error 'invalid signature'"), unknown);
}

TEST(SendErrors, ReplacementUnderpricedIsNotAlreadyKnown) {
    EXPECT_EQ(outcome_of(-32000, "replacement transaction underpriced"), replacement_underpriced);
    EXPECT_FALSE(is_held(outcome_of(-32000, "replacement transaction underpriced")));
}

TEST(SendErrors, UnrecognisedMessagesAreUnknown) {
    for (const auto* message : {"", "internal error", "unknown transaction type", "transaction type not supported",
                                "limit exceeded", "request rate limit exceeded", "header not found", "timeout",
                                "The method eth_sendRawTransaction does not exist/is not available"}) {
        for (const std::int64_t code : {-32000, -32001, -32003, -32005, -32009, -32010, -32603, 0})
            EXPECT_EQ(outcome_of(code, message), unknown) << message << " under " << code;
    }
}

RC_GTEST_PROP(SendErrors, NeitherCaseNorWrappingNorCodeMatters, ()) {
    auto v = *rc::gen::elementOf(vectors());
    RC_PRE(v.code >= -32000 || v.code == -32010 || v.code == -32603);
    std::string message(v.message);
    for (char& c : message) {
        if (*rc::gen::arbitrary<bool>()) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    const auto prefix = *rc::gen::element<std::string>("", "INTERNAL_ERROR: ", "err: ", "[node 3] ", "rpc error = ");
    const auto code = *rc::gen::element<std::int64_t>(-32000, -32603, -32010, 3, 0, 1);
    RC_ASSERT(outcome_of(code, prefix + message) == v.outcome);
}

RC_GTEST_PROP(SendErrors, AnyErrorHasAnOutcomeAndNoneIsAcceptance, (std::int64_t code, std::string text)) {
    RC_ASSERT(outcome_of(code, text) != accepted);
}

class SendReports : public testing::Test {
protected:
    static SendOutcome of(const jsonrpc::Answer& answer) { return report_of("a", our_hash, answer).outcome; }
    static constexpr TxHash our_hash{{1, 2, 3}};
};

TEST_F(SendReports, OwnHashIsAcceptance) {
    const auto answer = report_of("a", our_hash, boost::json::value(to_hex_prefixed(our_hash.view())));
    EXPECT_EQ(answer.outcome, accepted);
    EXPECT_EQ(answer.endpoint, "a");
}

TEST_F(SendReports, AnswerWithoutHashIsUnknown) {
    EXPECT_EQ(of(boost::json::value(nullptr)), unknown);
    EXPECT_EQ(of(boost::json::value(true)), unknown);
    EXPECT_EQ(of(boost::json::value("")), unknown);
    EXPECT_EQ(of(boost::json::value("ok")), unknown);
    EXPECT_EQ(of(boost::json::value("0x0102")), unknown);
    EXPECT_EQ(of(boost::json::array{}), unknown);
}

TEST_F(SendReports, HashOfOtherTransactionIsUnknown) {
    EXPECT_EQ(of(boost::json::value(to_hex_prefixed(TxHash{{9}}.view()))), unknown);
}

TEST_F(SendReports, MissingAnswerIsUnknown) {
    for (const auto& [kind, name] : enum_names<jsonrpc::Failure::Kind>) {
        const auto report = report_of("a", our_hash, err(jsonrpc::Error(jsonrpc::Failure{kind, "why"})));
        EXPECT_EQ(report.outcome, unknown) << name;
        EXPECT_EQ(report.message, "why");
    }
}

TEST_F(SendReports, GatewayServerErrorIsUnknown) {
    jsonrpc::ErrorAnswer error{-32000, "nonce too low", {}};
    error.http_status = 502;
    const auto report = report_of("a", our_hash, err(jsonrpc::Error(error)));
    EXPECT_EQ(report.outcome, unknown);
    EXPECT_EQ(report.message, "nonce too low");
}

TEST_F(SendReports, KeepsNodeErrorMessage) {
    const auto report =
        report_of("a", our_hash, err(jsonrpc::Error(jsonrpc::ErrorAnswer{-32000, "Already known", {}})));
    EXPECT_EQ(report.outcome, already_known);
    EXPECT_EQ(report.message, "Already known");
}

TEST(SendErrors, Failure71ReadsPriceFloorFromEndpoint) {
    const auto min_tip = [](std::string message) {
        const jsonrpc::Answer answer =
            err(jsonrpc::Error(jsonrpc::ErrorAnswer{.code = -32000, .message = std::move(message)}));
        return report_of("e", TxHash{}, answer).min_tip;
    };
    EXPECT_EQ(min_tip("transaction underpriced: gas tip cap 1000000, minimum needed 1000000000"), Wei(1'000'000'000));
    EXPECT_EQ(min_tip("Transaction gas price is 1, which is below the minimum of 8000000000"), Wei(8'000'000'000));
    EXPECT_EQ(min_tip("transaction gas price below minimum: gas tip cap 1, minimum needed 25 wei"), Wei(25));
    EXPECT_EQ(min_tip("transaction gas price below minimum: minimum needed many"), std::nullopt);
    EXPECT_EQ(min_tip("Gas price below configured minimum gas price"), std::nullopt);
    EXPECT_EQ(min_tip("transaction gas price below minimum: minimum needed " + std::string(100, '9')), std::nullopt);
    EXPECT_EQ(min_tip("intrinsic gas too low: gas 1, minimum needed 21000"), std::nullopt) << "gas, not a price";
}

TEST(Refusals, AreAClosedSetOfReasons) {
    EXPECT_EQ(refusal_of(insufficient_funds, ""), Refusal::insufficient_funds);
    EXPECT_EQ(refusal_of(intrinsic_gas, ""), Refusal::gas_too_low);
    EXPECT_EQ(refusal_of(over_block_gas_limit, ""), Refusal::over_block_gas_limit);
    EXPECT_EQ(refusal_of(invalid_signature, ""), Refusal::invalid_signature);
    EXPECT_EQ(refusal_of(tip_above_cap, ""), Refusal::invalid_input);
    EXPECT_EQ(refusal_of(rejected, "Execution reverted: no"), Refusal::revert);
    EXPECT_EQ(refusal_of(rejected, "oversized data"), Refusal::invalid_input);
}

TEST(Refusals, TemporaryRefusalIsNone) {
    for (const auto outcome :
         {accepted, already_known, nonce_too_low, nonce_too_high, replacement_underpriced, underpriced, price_floor,
          fee_below_base_fee, node_fee_cap, pool_full, account_limit, not_sent, unknown})
        EXPECT_EQ(refusal_of(outcome, ""), std::nullopt) << name_of(outcome);
}

}  // namespace
}  // namespace fencepost::evm
