// Signing with local keys, and choosing among several signers.
#include "signers/local_signer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/from_port.hpp"
#include "signers/signer_set.hpp"
#include "signers/test_transactions.hpp"

namespace fencepost::signers {
namespace {

using testing::HasSubstr;

LocalSigner signer_of(std::string_view hex) {
    std::vector<codec::PrivateKey> keys;
    keys.push_back(key_of(hex));
    return LocalSigner(std::move(keys));
}

TEST(LocalSigner, SignsOnEveryEvmChain) {
    auto signer = signer_of(test_key);
    for (const std::uint64_t chain : {1U, 31337U}) {
        for (const auto& wanted : {dynamic_transaction(test_address, chain), legacy_transaction(test_address, chain)}) {
            EXPECT_TRUE(signer.can_sign_for(wanted.from));
            const auto made = run(signer.sign(wanted));
            ASSERT_TRUE(made) << made.error().what;
            const auto decoded = codec::decode(made->raw);
            ASSERT_TRUE(decoded) << decoded.error().what;
            EXPECT_EQ(decoded->hash, made->hash);
            EXPECT_TRUE(codec::same_transaction(*decoded, wanted));
        }
    }
}

TEST(LocalSigner, SignsDeterministically) {
    auto signer = signer_of(test_key);
    EXPECT_EQ(run(signer.sign(dynamic_transaction(test_address)))->raw,
              run(signer.sign(dynamic_transaction(test_address)))->raw);
}

TEST(LocalSigner, HasNoKeyForOtherSubmitters) {
    auto signer = signer_of(test_key);
    EXPECT_FALSE(signer.can_sign_for(SubmitterId::evm(1, other_test_address)));
    const auto made = run(signer.sign(dynamic_transaction(other_test_address)));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, SignError::Kind::no_key);
    EXPECT_EQ(made.error().what, "no key for eip155:31337:" + other_test_address.to_checksum());
}

TEST(LocalSigner, HasNoKeyForNonEvmChains) {
    auto signer = signer_of(test_key);
    auto wanted = dynamic_transaction(test_address);
    wanted.from = *SubmitterId::parse("cosmos:hub-4:" + test_address.to_lower());
    EXPECT_FALSE(signer.can_sign_for(wanted.from));
    EXPECT_EQ(run(signer.sign(wanted)).error().kind, SignError::Kind::no_key);
}

TEST(LocalSigner, RefusesInvalidDestination) {
    auto signer = signer_of(test_key);
    auto wanted = dynamic_transaction(test_address);
    wanted.to = "vitalik.eth";
    const auto made = run(signer.sign(wanted));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, SignError::Kind::refused);
}

TEST(SignerSet, UsesSignerThatHasTheKey) {
    auto first = signer_of(test_key);
    auto second = signer_of(other_test_key);
    SignerSet both({first, second});
    for (const auto& from : {test_address, other_test_address}) {
        const auto wanted = dynamic_transaction(from);
        EXPECT_TRUE(both.can_sign_for(wanted.from));
        const auto made = run(both.sign(wanted));
        ASSERT_TRUE(made) << made.error().what;
        EXPECT_EQ(codec::decode(made->raw)->sender, from);
    }
}

TEST(SignerSet, HasNoKeyWhenNoSignerHas) {
    auto first = signer_of(test_key);
    SignerSet set({first});
    EXPECT_FALSE(set.can_sign_for(SubmitterId::evm(1, other_test_address)));
    EXPECT_EQ(run(set.sign(dynamic_transaction(other_test_address))).error().kind, SignError::Kind::no_key);
    EXPECT_FALSE(SignerSet({}).can_sign_for(SubmitterId::evm(1, other_test_address)));
}

}  // namespace
}  // namespace fencepost::signers
