#include "domain/address.hpp"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

// The examples of EIP-55 itself.
TEST(Address, WritesTheChecksumsOfEip55) {
    for (const std::string text :
         {"0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
          "0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
          "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
          "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"}) {
        const auto address = Address::parse(text);
        ASSERT_TRUE(address) << address.error().what;
        EXPECT_EQ(address->to_checksum(), text);
    }
}

TEST(Address, RefusesAMistypedChecksum) {
    const auto address = Address::parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD");
    ASSERT_FALSE(address);
    EXPECT_NE(address.error().what.find("EIP-55"), std::string::npos);
}

TEST(Address, RefusesOtherLengthsAndDigits) {
    for (const auto* text :
         {"", "0x", "0x52908400098527886e0f7030069857d2e4169ee", "52908400098527886e0f7030069857d2e4169ee7",
          "0x52908400098527886e0f7030069857d2e4169eeg", "0x52908400098527886e0f7030069857d2e4169ee700"}) {
        EXPECT_FALSE(Address::parse(text)) << text;
    }
}

RC_GTEST_PROP(AddressProperty, AllSpellingsAreTheSameAddress, ()) {
    Address address;
    for (auto& byte : address.data)
        byte = *rc::gen::arbitrary<std::uint8_t>();
    std::string upper = address.to_lower();
    std::transform(upper.begin() + 2, upper.end(), upper.begin() + 2,
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    RC_ASSERT(Address::parse(address.to_lower()).value() == address);
    RC_ASSERT(Address::parse(upper).value() == address);
    RC_ASSERT(Address::parse(address.to_checksum()).value() == address);
}

}  // namespace
}  // namespace fencepost
