// Conversion from the port, and detection of transactions that differ from the request.
#include "codec/from_port.hpp"

#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "codec/sign.hpp"
#include "codec/test_transactions.hpp"

namespace fencepost::codec {
namespace {

const std::string recipient_text = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

UnsignedTransaction wanted(const Fees& fees) {
    return {.from = SubmitterId::evm(10, test::key(1).address()),
            .nonce = Nonce(7),
            .to = recipient_text,
            .value = Wei(Uint256(5)),
            .data = {1, 2, 3},
            .gas_limit = Gas(50'000),
            .fees = fees};
}
UnsignedTransaction wanted_dynamic() { return wanted(DynamicFee{Wei(Uint256(100)), Wei(Uint256(2))}); }
UnsignedTransaction wanted_legacy() { return wanted(LegacyFee{Wei(Uint256(30))}); }

/// The result of the check when `given` was requested and `made` was signed.
std::string difference(const Transaction& made, const UnsignedTransaction& given, std::uint8_t key = 1) {
    const auto status = same_transaction(decode(sign(made, test::key(key)).raw).value(), given);
    return status ? "same" : status.error().what;
}

TEST(FromPort, DynamicFeeMakesEip1559) {
    const auto made = std::get<DynamicFeeTransaction>(to_transaction(wanted_dynamic()));
    EXPECT_EQ(made, (DynamicFeeTransaction{.chain_id = 10,
                                           .nonce = Nonce(7),
                                           .max_priority_fee = Wei(Uint256(2)),
                                           .max_fee = Wei(Uint256(100)),
                                           .gas_limit = Gas(50'000),
                                           .to = Address::parse(recipient_text).value(),
                                           .value = Wei(Uint256(5)),
                                           .data = {1, 2, 3}}));
}

TEST(FromPort, LegacyFeeMakesEip155) {
    const auto made = std::get<LegacyTransaction>(to_transaction(wanted_legacy()));
    EXPECT_EQ(made, (LegacyTransaction{.chain_id = 10,
                                       .nonce = Nonce(7),
                                       .gas_price = Wei(Uint256(30)),
                                       .gas_limit = Gas(50'000),
                                       .to = Address::parse(recipient_text).value(),
                                       .value = Wei(Uint256(5)),
                                       .data = {1, 2, 3}}));
}

TEST(FromPort, MissingDestinationMakesDeployment) {
    auto deployment = wanted_dynamic();
    deployment.to = std::nullopt;
    EXPECT_EQ(std::get<DynamicFeeTransaction>(to_transaction(deployment)).to, std::nullopt);
}

TEST(FromPort, RejectsNonEvmChainsAndInvalidDestinations) {
    auto other = wanted_dynamic();
    other.from = SubmitterId::parse("cosmos:hub:cosmos1abc").value();
    EXPECT_EQ(is_evm_transaction(other).error().what, "cosmos:hub:cosmos1abc is not an account of an EVM chain");
    auto broken = wanted_dynamic();
    broken.to = "0x12";
    EXPECT_FALSE(is_evm_transaction(broken));
    EXPECT_TRUE(is_evm_transaction(wanted_dynamic()));
    EXPECT_DEATH((void)to_transaction(broken), "is not an address");
}

TEST(Sign, SignsRequestedTransaction) {
    for (const auto& given : {wanted_dynamic(), wanted_legacy()}) {
        const SignedTransaction made = sign(given, test::key(1));
        EXPECT_TRUE(same_transaction(decode(made.raw).value(), given));
        EXPECT_EQ(made.hash, hash_of(made.raw));
        EXPECT_EQ(sign(given, test::key(1)).raw, made.raw);
    }
}

TEST(SignDeathTest, NeverSignsForAnotherSender) {
    EXPECT_DEATH((void)sign(wanted_dynamic(), test::key(2)), "does not sign for");
}

TEST(SameTransaction, NamesDifferingFieldOfDynamicTransaction) {
    const auto given = wanted_dynamic();
    const auto with = [&given](const std::function<void(DynamicFeeTransaction&)>& change) {
        auto made = std::get<DynamicFeeTransaction>(to_transaction(given));
        change(made);
        return difference(made, given);
    };
    EXPECT_EQ(with([](auto&) {}), "same");
    EXPECT_EQ(with([](auto& made) { made.chain_id = 1; }), "chain id differs: signed 1, requested 10");
    EXPECT_EQ(with([](auto& made) { made.nonce = Nonce(8); }), "nonce differs: signed 8, requested 7");
    EXPECT_EQ(with([](auto& made) { made.max_priority_fee = Wei(Uint256(3)); }),
              "max priority fee differs: signed 3, requested 2");
    EXPECT_EQ(with([](auto& made) { made.max_fee = Wei(Uint256(101)); }), "max fee differs: signed 101, requested 100");
    EXPECT_EQ(with([](auto& made) { made.gas_limit = Gas(1); }), "gas limit differs: signed 1, requested 50000");
    EXPECT_EQ(with([](auto& made) { made.to = std::nullopt; }),
              "to differs: signed none, requested 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
    EXPECT_EQ(with([](auto& made) { made.value = Wei(Uint256(6)); }), "value differs: signed 6, requested 5");
    EXPECT_EQ(with([](auto& made) { made.data = {1, 2, 4}; }), "data differs: signed 3 bytes, requested 3 bytes");
    EXPECT_EQ(with([](auto& made) { made.access_list.push_back({}); }),
              "access list differs: signed 1 entries, requested 0 entries");
}

TEST(SameTransaction, NamesDifferingFieldOfLegacyTransaction) {
    const auto given = wanted_legacy();
    const auto with = [&given](const std::function<void(LegacyTransaction&)>& change) {
        auto made = std::get<LegacyTransaction>(to_transaction(given));
        change(made);
        return difference(made, given);
    };
    EXPECT_EQ(with([](auto&) {}), "same");
    EXPECT_EQ(with([](auto& made) { made.chain_id = std::nullopt; }), "chain id differs: signed none, requested 10");
    EXPECT_EQ(with([](auto& made) { made.nonce = Nonce(8); }), "nonce differs: signed 8, requested 7");
    EXPECT_EQ(with([](auto& made) { made.gas_price = Wei(Uint256(31)); }),
              "gas price differs: signed 31, requested 30");
    EXPECT_EQ(with([](auto& made) { made.gas_limit = Gas(1); }), "gas limit differs: signed 1, requested 50000");
    EXPECT_EQ(with([](auto& made) { made.to = std::nullopt; }).substr(0, 23), "to differs: signed none");
    EXPECT_EQ(with([](auto& made) { made.value = Wei(Uint256(6)); }), "value differs: signed 6, requested 5");
    EXPECT_EQ(with([](auto& made) { made.data.clear(); }), "data differs: signed 0 bytes, requested 3 bytes");
}

TEST(SameTransaction, DetectsOtherTypeAndSender) {
    EXPECT_EQ(difference(to_transaction(wanted_legacy()), wanted_dynamic()),
              "type differs: signed legacy, requested EIP-1559");
    EXPECT_TRUE(difference(to_transaction(wanted_dynamic()), wanted_dynamic(), 2).starts_with("sender differs: "));
}

}  // namespace
}  // namespace fencepost::codec
