// Keys and signatures: known answers, wiping, recovery, HSM signatures.
#include "codec/signature.hpp"

#include <algorithm>
#include <type_traits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"
#include "codec/test_transactions.hpp"

namespace fencepost::codec {
namespace {

constexpr std::string_view order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
constexpr std::string_view order_minus_one = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140";
constexpr std::string_view half_order = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";
constexpr std::string_view half_order_plus_one = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1";
constexpr std::string_view one = "0000000000000000000000000000000000000000000000000000000000000001";

Scalar scalar(std::string_view hex) {
    Scalar result{};
    std::ranges::copy(from_hex(hex).value(), result.begin());
    return result;
}
Digest digest(std::string_view hex) { return Digest::from(from_hex(hex).value()).value(); }

Digest digest_of(std::uint64_t number) { return Digest{keccak256(as_bytes(std::to_string(number)))}; }

struct Rfc6979Example {
    std::string_view key;
    std::string_view digest;  // SHA-256 of a text
    std::string_view r;
    std::string_view s;
};

// Known answers for secp256k1 with SHA-256 that many libraries share; the RFC has none for this curve.
constexpr std::array<Rfc6979Example, 4> rfc6979_examples{{
    {one, "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",  // "Satoshi Nakamoto"
     "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8",
     "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"},
    {one, "7d1833f54854ac51659521afcd0ec6dca2ce2351429614bfa28a756b1b3c637f",  // "All those moments …"
     "8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b",
     "547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21"},
    {order_minus_one, "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",
     "fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0",
     "6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5"},
    {"f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181",
     "4ba38d48a60f1b29e9eb726eaff08b2e83d8d81e031666fee50e85900d7dc1ef",  // "Alan Turing"
     "7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c",
     "58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea"},
}};

TEST(PrivateKey, SignsAccordingToRfc6979) {
    for (const auto& example : rfc6979_examples) {
        const auto key = PrivateKey::from_hex(example.key).value();
        const Signature signature = key.sign(digest(example.digest));
        EXPECT_EQ(to_hex(signature.r), example.r);
        EXPECT_EQ(to_hex(signature.s), example.s);
        EXPECT_EQ(recover(digest(example.digest), signature), key.address());
    }
}

TEST(PrivateKey, DerivesItsAddress) {
    EXPECT_EQ(PrivateKey::from_hex(one).value().address().to_checksum(), "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
    const auto key = PrivateKey::from_bytes(Bytes(32, 0x46));
    EXPECT_EQ(key.value().address().to_checksum(), "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F");
}

TEST(PrivateKey, RejectsInvalidKeys) {
    EXPECT_FALSE(PrivateKey::from_hex(std::string(64, '0')));
    EXPECT_FALSE(PrivateKey::from_hex(order));
    EXPECT_FALSE(PrivateKey::from_hex(std::string(64, 'f')));
    EXPECT_TRUE(PrivateKey::from_hex(order_minus_one));
    EXPECT_FALSE(PrivateKey::from_hex(one.substr(1)));
    EXPECT_FALSE(PrivateKey::from_hex(std::string(one) + "0"));
    EXPECT_FALSE(PrivateKey::from_hex(""));
    EXPECT_FALSE(PrivateKey::from_bytes({}));
    EXPECT_FALSE(PrivateKey::from_bytes(Bytes(31, 1)));
    EXPECT_FALSE(PrivateKey::from_bytes(Bytes(33, 1)));
}

TEST(PrivateKey, ErrorsNeverQuoteKey) {
    const std::string secret = "c0ffee11c0ffee22c0ffee33c0ffee44c0ffee55c0ffee66c0ffee77c0ffee";
    for (const std::string& wrong : {secret + "8", secret + "8g", secret + "888", "0x" + secret + "zz"}) {
        const auto key = PrivateKey::from_hex(wrong);
        ASSERT_FALSE(key);
        EXPECT_EQ(key.error().what.find("c0ffee"), std::string::npos) << key.error().what;
    }
}

TEST(PrivateKey, CannotBeCopied) {
    EXPECT_FALSE(std::is_copy_constructible_v<PrivateKey>);
    EXPECT_FALSE(std::is_copy_assignable_v<PrivateKey>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<PrivateKey>);
}

bool is_wiped(ByteView secret) {
    return std::ranges::all_of(secret, [](std::uint8_t byte) { return byte == 0; });
}

TEST(PrivateKey, WipesSourceOnMove) {
    PrivateKey first = test::key(1);
    const Address address = first.address();
    PrivateKey second = std::move(first);
    EXPECT_TRUE(is_wiped(first.expose_secret()));  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(second.address(), address);
    PrivateKey third = test::key(2);
    third = std::move(second);
    EXPECT_TRUE(is_wiped(second.expose_secret()));  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(third.address(), address);
    EXPECT_EQ(recover(digest_of(1), third.sign(digest_of(1))), address);
}

TEST(PrivateKey, IsWipedOnDestruction) {
    alignas(PrivateKey) std::array<std::uint8_t, sizeof(PrivateKey)> room{};
    auto* key = new (room.data()) PrivateKey(test::key(1));
    const Bytes secret = to_bytes(key->expose_secret());
    EXPECT_FALSE(std::ranges::search(room, secret).empty());
    key->~PrivateKey();
    // Reads the raw memory, because the object is gone.
    const volatile std::uint8_t* memory = room.data();
    Bytes left;
    for (std::size_t i = 0; i < room.size(); ++i)
        left.emplace_back(std::uint8_t{memory[i]});
    EXPECT_TRUE(std::ranges::search(left, secret).empty());
}

TEST(PrivateKeyDeathTest, AbortsSigningAfterMove) {
    PrivateKey key = test::key(1);
    const PrivateKey other = std::move(key);
    EXPECT_DEATH((void)key.sign(digest_of(1)), "");  // NOLINT(bugprone-use-after-move)
}

TEST(Signature, RecognisesLowS) {
    EXPECT_FALSE(is_low_s({}));
    EXPECT_TRUE(is_low_s(scalar(one)));
    EXPECT_TRUE(is_low_s(scalar(half_order)));
    EXPECT_FALSE(is_low_s(scalar(half_order_plus_one)));
    EXPECT_FALSE(is_low_s(scalar(order_minus_one)));
    EXPECT_FALSE(is_valid_scalar({}));
    EXPECT_TRUE(is_valid_scalar(scalar(order_minus_one)));
    EXPECT_FALSE(is_valid_scalar(scalar(order)));
}

TEST(Signature, NormalisesHighSAndFlipsParity) {
    EXPECT_EQ(normalise({.r = scalar(one), .s = scalar(half_order_plus_one), .y_parity = false}),
              (Signature{.r = scalar(one), .s = scalar(half_order), .y_parity = true}));
    EXPECT_EQ(normalise({.r = scalar(one), .s = scalar(order_minus_one), .y_parity = true}),
              (Signature{.r = scalar(one), .s = scalar(one), .y_parity = false}));
    const Signature low{.r = scalar(one), .s = scalar(half_order), .y_parity = true};
    EXPECT_EQ(normalise(low), low);
    const Signature invalid{.r = scalar(one), .s = scalar(order), .y_parity = true};
    EXPECT_EQ(normalise(invalid), invalid);
}

TEST(Signature, InvalidSignatureRecoversNoSigner) {
    EXPECT_EQ(recover(digest_of(1), {}), std::nullopt);
    EXPECT_EQ(recover(digest_of(1), {.r = scalar(order), .s = scalar(one)}), std::nullopt);
    EXPECT_EQ(recover(digest_of(1), {.r = scalar(one), .s = scalar(order)}), std::nullopt);
    EXPECT_EQ(recover(digest_of(1), {.r = scalar(one), .s = {}}), std::nullopt);
}

// An HSM returns r and either of the two s, without parity.
RC_GTEST_PROP(SignatureProperty, IsCompletedFromHsmOutput, (std::uint8_t number, std::uint64_t text, bool high)) {
    const PrivateKey key = test::key(number);
    const Digest digest = digest_of(text);
    const Signature made = key.sign(digest);
    RC_ASSERT(is_low_s(made.s));
    RC_ASSERT(recover(digest, made) == key.address());

    Scalar s = made.s;
    if (high) s = (*Uint256::from_big_endian(scalar(order)) - *Uint256::from_big_endian(made.s)).to_big_endian();
    RC_ASSERT(complete(digest, made.r, s, key.address()) == made);
    RC_ASSERT(complete(digest, made.r, s, test::key(static_cast<std::uint8_t>(number + 1)).address()) == std::nullopt);
    RC_ASSERT(recover(digest, {made.r, s, high != made.y_parity}) == key.address());
}

TEST(PublicKey, GivesItsAddress) {
    // The generator of the curve is the public key of private key 1.
    const std::string point =
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
    const Address address = PrivateKey::from_hex(one).value().address();
    EXPECT_EQ(address_of_public_key(from_hex(point).value()), address);
    EXPECT_EQ(address_of_public_key(from_hex("04" + point).value()), address);
    EXPECT_EQ(address_of_public_key(from_hex("02" + point).value()), std::nullopt);
    EXPECT_EQ(address_of_public_key(from_hex("02" + point.substr(0, 64)).value()), std::nullopt);
    EXPECT_EQ(address_of_public_key({}), std::nullopt);
    Bytes off_the_curve = from_hex(point).value();
    off_the_curve.back() ^= 1U;
    EXPECT_EQ(address_of_public_key(off_the_curve), std::nullopt);
}

}  // namespace
}  // namespace fencepost::codec
