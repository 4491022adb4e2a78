// V3 key files: specification examples, damaged files, excessive cost.
#include "signers/keystore.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost::signers {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The two examples of the Web3 Secret Storage Definition.
constexpr std::string_view definition_key = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
constexpr std::string_view pbkdf2_example = R"({
  "crypto": {
    "cipher": "aes-128-ctr",
    "cipherparams": {"iv": "6087dab2f9fdbbfaddc31a909735c1e6"},
    "ciphertext": "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    "kdf": "pbkdf2",
    "kdfparams": {"c": 262144, "dklen": 32, "prf": "hmac-sha256",
                  "salt": "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
    "mac": "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"
  },
  "id": "3198bc9c-6672-5ab3-d995-4942343ae5b6", "version": 3})";
constexpr std::string_view scrypt_example = R"({
  "crypto": {
    "cipher": "aes-128-ctr",
    "cipherparams": {"iv": "83dbcc02d8ccb40e466191a123791e0e"},
    "ciphertext": "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    "kdf": "scrypt",
    "kdfparams": {"dklen": 32, "n": 262144, "p": 8, "r": 1,
                  "salt": "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19"},
    "mac": "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097"
  },
  "id": "3198bc9c-6672-5ab3-d995-4942343ae5b6", "version": 3})";

const Secret password("testpassword");

std::string with(std::string_view json, std::string_view from, std::string_view to) {
    std::string text(json);
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

KeystoreError error_of(std::string_view json, const Secret& opened_with = password) {
    auto key = open_keystore(json, opened_with);
    if (key) throw std::runtime_error("it was opened");
    return key.error();
}

const std::string& sealed() {
    static const auto key = codec::PrivateKey::from_hex(definition_key);
    static const std::string text = seal_keystore(*key, password, ScryptCost::weak());
    return text;
}

TEST(Keystore, OpensPbkdf2Example) {
    const auto key = open_keystore(pbkdf2_example, password);
    ASSERT_TRUE(key) << key.error().what;
    EXPECT_EQ(to_hex(key->expose_secret()), definition_key);
}

TEST(Keystore, OpensScryptExample) {
    const auto key = open_keystore(scrypt_example, password);
    ASSERT_TRUE(key) << key.error().what;
    EXPECT_EQ(to_hex(key->expose_secret()), definition_key);
}

TEST(Keystore, OpensItsOwnDefaultFile) {
    const auto key = generate_key();
    const auto text = seal_keystore(key, password);
    EXPECT_THAT(text, AllOf(HasSubstr(R"("n":262144,"r":8,"p":1)"), Not(HasSubstr(to_hex(key.expose_secret())))));
    const auto opened = open_keystore(text, password);
    ASSERT_TRUE(opened) << opened.error().what;
    EXPECT_EQ(opened->address(), key.address());
    EXPECT_EQ(address_in_keystore(text), key.address());
}

RC_GTEST_PROP(KeystoreProperty, EveryPasswordOpensItsOwnFileAndNoOther, (const std::string& a, const std::string& b)) {
    const auto key = generate_key();
    const auto text = seal_keystore(key, Secret(a), ScryptCost::weak());
    RC_ASSERT(open_keystore(text, Secret(a))->address() == key.address());
    if (a != b) RC_ASSERT(open_keystore(text, Secret(b)).error().kind == KeystoreError::Kind::wrong_password);
}

TEST(Keystore, EncryptsDifferentlyEachTime) {
    const auto key = generate_key();
    EXPECT_NE(seal_keystore(key, password, ScryptCost::weak()), seal_keystore(key, password, ScryptCost::weak()));
    EXPECT_NE(generate_key().address(), key.address());
}

TEST(Keystore, ReportsWrongPassword) {
    const auto error = error_of(sealed(), Secret("testpasswore"));
    EXPECT_EQ(error.kind, KeystoreError::Kind::wrong_password);
    EXPECT_EQ(error.what, "the password is wrong (or the file was changed)");
}

TEST(Keystore, DetectsChangedCiphertext) {
    EXPECT_EQ(error_of(with(pbkdf2_example, "5318b4d5", "5318b4d6")).kind, KeystoreError::Kind::wrong_password);
}

TEST(Keystore, RefusesMismatchedAddress) {
    const auto own =
        with(sealed(), R"("address":")", R"("address":"0x00000000219ab540356cbb839cbe05303d7705fa","x":")");
    const auto error = error_of(own);
    EXPECT_EQ(error.kind, KeystoreError::Kind::wrong_address);
    EXPECT_THAT(error.what, HasSubstr("says 0x00000000219ab540356cBB839Cbe05303d7705Fa, but it holds the key of 0x"));
}

TEST(Keystore, AcceptsCapitalisedCryptoField) {
    EXPECT_TRUE(open_keystore(with(sealed(), R"("crypto")", R"("Crypto")"), password));
}

struct Damage {
    std::string_view from;
    std::string_view to;
    std::string_view says;
};

class DamagedKeystore : public testing::TestWithParam<Damage> {};

TEST_P(DamagedKeystore, NamesTheField) {
    const auto error = error_of(with(pbkdf2_example, GetParam().from, GetParam().to));
    EXPECT_EQ(error.kind, KeystoreError::Kind::damaged);
    EXPECT_EQ(error.what, GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, DamagedKeystore,
    testing::Values(Damage{R"("version": 3)", R"("version": 4)", R"(its field "version" is not 3)"},
                    Damage{R"("version": 3)", R"("version": "3")", R"(its field "version" is not a whole number)"},
                    Damage{R"("version": 3)", R"("version": 3, "address": "0x12")",
                           R"(its field "address" is not an address)"},
                    Damage{R"("crypto": {)", R"("secret": {)", R"(its field "crypto" is missing)"},
                    Damage{R"("crypto": {)", R"("crypto": 1, "x": {)", R"(its field "crypto" is not an object)"},
                    Damage{"aes-128-ctr", "aes-128-cbc", R"(its field "crypto.cipher" is not "aes-128-ctr")"},
                    Damage{"6087dab2", "6087", R"(its field "crypto.cipherparams.iv" does not have 16 bytes)"},
                    Damage{"5318b4d5", "5318b4dx", R"(its field "crypto.ciphertext" is not hexadecimal)"},
                    Damage{"69aa46", "69", R"(its field "crypto.ciphertext" does not have 32 bytes)"},
                    Damage{R"("mac": ")", R"("mac": 12, "x": ")", R"(its field "crypto.mac" is not text)"},
                    Damage{R"("pbkdf2")", R"("argon2")", R"(its field "crypto.kdf" is neither "scrypt" nor "pbkdf2")"},
                    Damage{"hmac-sha256", "hmac-sha1",
                           R"(its field "crypto.kdfparams.prf" is not "hmac-sha256", the only one in use)"},
                    Damage{R"("dklen": 32)", R"("dklen": 16)", R"(its field "crypto.kdfparams.dklen" is not 32)"},
                    Damage{"262144", "0", R"(its field "crypto.kdfparams.c" is zero)"},
                    Damage{"262144", "-1", R"(its field "crypto.kdfparams.c" is not a whole number)"},
                    Damage{"{", "", "it is not a JSON object"},
                    Damage{R"("version": 3})", "", "it is not a JSON object"}));

struct Cost {
    std::string_view n, r, p;
    KeystoreError::Kind kind;
    std::string_view says;
};

class UntrustedScrypt : public testing::TestWithParam<Cost> {};

TEST_P(UntrustedScrypt, IsRejectedBeforeComputing) {
    const auto& [n, r, p, kind, says] = GetParam();
    const auto params = "\"n\": " + std::string(n) + ", \"p\": " + std::string(p) + ", \"r\": " + std::string(r);
    const auto error = error_of(with(scrypt_example, R"("n": 262144, "p": 8, "r": 1)", params));
    EXPECT_EQ(error.kind, kind);
    EXPECT_THAT(error.what, HasSubstr(says));
}

INSTANTIATE_TEST_SUITE_P(
    Costs, UntrustedScrypt,
    testing::Values(Cost{"16777216", "8", "1", KeystoreError::Kind::too_expensive,
                         R"(kdfparams.n" is too expensive: more than 1 GiB)"},
                    Cost{"1024", "1048576", "1", KeystoreError::Kind::too_expensive, "more than 1 GiB"},
                    Cost{"9223372036854775808", "8", "1", KeystoreError::Kind::too_expensive, "more than 1 GiB"},
                    Cost{"2", "18446744073709551615", "1", KeystoreError::Kind::too_expensive, "more than 1 GiB"},
                    Cost{"262144", "8", "1000000", KeystoreError::Kind::too_expensive, "more than a minute of work"},
                    Cost{"2", "1", "18446744073709551615", KeystoreError::Kind::too_expensive,
                         "more than a minute of work"},
                    Cost{"262143", "8", "1", KeystoreError::Kind::damaged, R"(kdfparams.n" is not a power of two)"},
                    Cost{"1", "8", "1", KeystoreError::Kind::damaged, "power of two"},
                    Cost{"1024", "0", "1", KeystoreError::Kind::damaged, R"(kdfparams.r" is zero)"},
                    Cost{"1024", "8", "0", KeystoreError::Kind::damaged, R"(kdfparams.p" is zero)"}));

TEST(Keystore, RejectsTooManyRounds) {
    EXPECT_EQ(error_of(with(pbkdf2_example, "262144", "10000001")).kind, KeystoreError::Kind::too_expensive);
}

}  // namespace
}  // namespace fencepost::signers
