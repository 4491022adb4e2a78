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

/// What the check says when `given` was asked for and `made` was signed.
std::string difference(const Transaction& made, const UnsignedTransaction& given, std::uint8_t key = 1) {
    const auto status = same_transaction(decode(sign(made, test::key(key)).raw).value(), given);
    return status ? "same" : status.error().what;
}

TEST(FromPort, ADynamicFeeMakesEip1559) {
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

TEST(FromPort, ALegacyFeeMakesEip155) {
    const auto made = std::get<LegacyTransaction>(to_transaction(wanted_legacy()));
    EXPECT_EQ(made, (LegacyTransaction{.chain_id = 10,
                                       .nonce = Nonce(7),
                                       .gas_price = Wei(Uint256(30)),
                                       .gas_limit = Gas(50'000),
                                       .to = Address::parse(recipient_text).value(),
                                       .value = Wei(Uint256(5)),
                                       .data = {1, 2, 3}}));
}

TEST(FromPort, NoDestinationMakesADeployment) {
    auto deployment = wanted_dynamic();
    deployment.to = std::nullopt;
    EXPECT_EQ(std::get<DynamicFeeTransaction>(to_transaction(deployment)).to, std::nullopt);
}

TEST(FromPort, RefusesAnotherFamilyOfChainsAndABrokenDestination) {
    auto other = wanted_dynamic();
    other.from = SubmitterId::parse("cosmos:hub:cosmos1abc").value();
    EXPECT_EQ(is_evm_transaction(other).error().what, "cosmos:hub:cosmos1abc is not an account of an EVM chain");
    auto broken = wanted_dynamic();
    broken.to = "0x12";
    EXPECT_FALSE(is_evm_transaction(broken));
    EXPECT_TRUE(is_evm_transaction(wanted_dynamic()));
    EXPECT_DEATH((void)to_transaction(broken), "is not an address");
}

TEST(Sign, GivesTheTransactionThatWasAskedFor) {
    for (const auto& given : {wanted_dynamic(), wanted_legacy()}) {
        const SignedTransaction made = sign(given, test::key(1));
        EXPECT_TRUE(same_transaction(decode(made.raw).value(), given));
        EXPECT_EQ(made.hash, hash_of(made.raw));
        EXPECT_EQ(sign(given, test::key(1)).raw, made.raw);
    }
}

TEST(SignDeathTest, NeverSignsForSomebodyElse) {
    EXPECT_DEATH((void)sign(wanted_dynamic(), test::key(2)), "does not sign for");
}

TEST(SameTransaction, NamesTheFieldOfADynamicOneThatDiffers) {
    const auto given = wanted_dynamic();
    const auto with = [&given](const std::function<void(DynamicFeeTransaction&)>& change) {
        auto made = std::get<DynamicFeeTransaction>(to_transaction(given));
        change(made);
        return difference(made, given);
    };
    EXPECT_EQ(with([](auto&) {}), "same");
    EXPECT_EQ(with([](auto& made) { made.chain_id = 1; }), "chain id differs: 1 was signed, 10 was asked for");
    EXPECT_EQ(with([](auto& made) { made.nonce = Nonce(8); }), "nonce differs: 8 was signed, 7 was asked for");
    EXPECT_EQ(with([](auto& made) { made.max_priority_fee = Wei(Uint256(3)); }),
              "max priority fee differs: 3 was signed, 2 was asked for");
    EXPECT_EQ(with([](auto& made) { made.max_fee = Wei(Uint256(101)); }),
              "max fee differs: 101 was signed, 100 was asked for");
    EXPECT_EQ(with([](auto& made) { made.gas_limit = Gas(1); }),
              "gas limit differs: 1 was signed, 50000 was asked for");
    EXPECT_EQ(with([](auto& made) { made.to = std::nullopt; }),
              "to differs: none was signed, 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed was asked for");
    EXPECT_EQ(with([](auto& made) { made.value = Wei(Uint256(6)); }), "value differs: 6 was signed, 5 was asked for");
    EXPECT_EQ(with([](auto& made) { made.data = {1, 2, 4}; }),
              "data differs: 3 bytes was signed, 3 bytes was asked for");
    EXPECT_EQ(with([](auto& made) { made.access_list.push_back({}); }),
              "access list differs: 1 entries was signed, 0 entries was asked for");
}

TEST(SameTransaction, NamesTheFieldOfALegacyOneThatDiffers) {
    const auto given = wanted_legacy();
    const auto with = [&given](const std::function<void(LegacyTransaction&)>& change) {
        auto made = std::get<LegacyTransaction>(to_transaction(given));
        change(made);
        return difference(made, given);
    };
    EXPECT_EQ(with([](auto&) {}), "same");
    EXPECT_EQ(with([](auto& made) { made.chain_id = std::nullopt; }),
              "chain id differs: none was signed, 10 was asked for");
    EXPECT_EQ(with([](auto& made) { made.nonce = Nonce(8); }), "nonce differs: 8 was signed, 7 was asked for");
    EXPECT_EQ(with([](auto& made) { made.gas_price = Wei(Uint256(31)); }),
              "gas price differs: 31 was signed, 30 was asked for");
    EXPECT_EQ(with([](auto& made) { made.gas_limit = Gas(1); }),
              "gas limit differs: 1 was signed, 50000 was asked for");
    EXPECT_EQ(with([](auto& made) { made.to = std::nullopt; }).substr(0, 24), "to differs: none was sig");
    EXPECT_EQ(with([](auto& made) { made.value = Wei(Uint256(6)); }), "value differs: 6 was signed, 5 was asked for");
    EXPECT_EQ(with([](auto& made) { made.data.clear(); }), "data differs: 0 bytes was signed, 3 bytes was asked for");
}

TEST(SameTransaction, NoticesAnotherTypeAndAnotherSender) {
    EXPECT_EQ(difference(to_transaction(wanted_legacy()), wanted_dynamic()),
              "type differs: legacy was signed, EIP-1559 was asked for");
    EXPECT_TRUE(difference(to_transaction(wanted_dynamic()), wanted_dynamic(), 2).starts_with("sender differs: "));
}

}  // namespace
}  // namespace fencepost::codec
