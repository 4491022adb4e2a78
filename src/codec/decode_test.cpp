// Decoding of valid and malformed raw transactions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"
#include "codec/rlp.hpp"
#include "codec/sign.hpp"
#include "codec/test_transactions.hpp"
#include "codec/transaction.hpp"

namespace fencepost::codec {
namespace {

/// The RLP encodings of a transaction's fields in hexadecimal; a test may replace each of them.
struct Fields {
    std::string type;
    std::vector<std::string> items;

    [[nodiscard]] Bytes raw() const {
        RlpWriter payload;
        Bytes joined;
        for (const auto& item : items) {
            const Bytes bytes = from_hex(item).value();
            joined.insert(joined.end(), bytes.begin(), bytes.end());
        }
        // The header of a list is that of a string of the same length, 0x40 higher.
        payload.bytes(joined);
        Bytes list = std::move(payload).take();
        list[0] += 0x40;
        Bytes raw = from_hex(type).value();
        raw.insert(raw.end(), list.begin(), list.end());
        return raw;
    }

    [[nodiscard]] Fields with(std::size_t index, std::string item) const {
        Fields changed = *this;
        changed.items.at(index) = std::move(item);
        return changed;
    }

    [[nodiscard]] std::string error() const {
        const auto decoded = decode(raw());
        return decoded ? "no error" : decoded.error().what;
    }
};

const std::string recipient(40, '3');
const std::string signed_r = "a014c235996b110370c7c707b00cef49230c7aafeafc4d45a873ed69f74d8c0421";
const std::string signed_s = "a019ae1dfbef791228dae884323fcd6b05c1fc3e076d8cb2e576bcacbf1dcf783f";
const std::string rlp_of_half_order_plus_one = "a07fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1";
const std::string rlp_of_order = "a0fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

const Fields legacy_fields{"",
                           {"09", "8504a817c800", "825208", "94" + recipient, "80", "80", "25", signed_r, signed_s}};
const Fields access_list_fields{
    "01", {"01", "09", "02", "825208", "94" + recipient, "80", "80", "c0", "80", signed_r, signed_s}};
const Fields dynamic_fee_fields{
    "02", {"01", "09", "01", "02", "825208", "94" + recipient, "80", "80", "c0", "80", signed_r, signed_s}};
const Fields blob_fields{"03",
                         {"01", "09", "01", "02", "825208", "94" + recipient, "80", "80", "c0", "03",
                          "e1a001" + std::string(62, 'a'), "80", signed_r, signed_s}};
const Fields set_code_fields{"04",
                             {"01", "09", "01", "02", "825208", "94" + recipient, "80", "80", "c0",
                              "dbda0194" + recipient + "07800102", "80", signed_r, signed_s}};

TEST(Decode, AcceptsUnmodifiedFields) {
    for (const auto& fields : {legacy_fields, access_list_fields, dynamic_fee_fields, blob_fields, set_code_fields})
        EXPECT_EQ(fields.error(), "no error") << to_hex(fields.raw());
}

TEST(Decode, RecoversSenderOfEip155Example) {
    const Bytes raw = from_hex(
                          "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025"
                          "a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
                          "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83")
                          .value();
    const Decoded decoded = decode(raw).value();
    EXPECT_EQ(decoded.sender.to_checksum(), "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F");
    EXPECT_EQ(std::get<LegacyTransaction>(decoded.transaction).chain_id, 1U);
    EXPECT_EQ(std::get<LegacyTransaction>(decoded.transaction).nonce, Nonce(9));
    EXPECT_FALSE(decoded.signature.y_parity);
    EXPECT_EQ(to_hex(decoded.hash.view()), "33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788");
}

TEST(Decode, RejectsUnknownFirstByte) {
    EXPECT_EQ(decode({}).error().what, "not a transaction: no bytes");
    EXPECT_EQ(decode(Bytes{0x00}).error().what, "not a transaction: unknown type 0x00 in the first byte");
    EXPECT_EQ(decode(Bytes{0x05}).error().what, "not a transaction: unknown type 0x05 in the first byte");
    EXPECT_EQ(decode(Bytes{0x80}).error().what, "not a transaction: unknown type 0x80 in the first byte");
    EXPECT_EQ(decode(Bytes{0x02}).error().what, "not a valid EIP-1559 transaction: fields: is missing");
    EXPECT_EQ(decode(Bytes{0xc0}).error().what, "not a valid legacy transaction: fields: nonce: is missing");
}

TEST(Decode, RejectsSurplusBytes) {
    Bytes raw = dynamic_fee_fields.raw();
    raw.push_back(0);
    EXPECT_EQ(decode(raw).error().what, "not a valid EIP-1559 transaction: 1 bytes follow the transaction");
    Fields longer = dynamic_fee_fields;
    longer.items.emplace_back("80");
    EXPECT_EQ(longer.error(), "not a valid EIP-1559 transaction: fields: 1 bytes follow the last item");
    Fields shorter = dynamic_fee_fields;
    shorter.items.pop_back();
    EXPECT_EQ(shorter.error(), "not a valid EIP-1559 transaction: fields: s: is missing");
}

TEST(Decode, RejectsNonceForbiddenByEip2681) {
    EXPECT_EQ(dynamic_fee_fields.with(1, "88fffffffffffffffe").error(), "no error");
    EXPECT_EQ(dynamic_fee_fields.with(1, "88ffffffffffffffff").error(),
              "not a valid EIP-1559 transaction: fields: nonce: must be below 2^64-1");
    EXPECT_EQ(legacy_fields.with(0, "88ffffffffffffffff").error(),
              "not a valid legacy transaction: fields: nonce: must be below 2^64-1");
}

TEST(Decode, RejectsInvalidDestination) {
    EXPECT_EQ(dynamic_fee_fields.with(5, "80").error(), "no error");
    EXPECT_EQ(legacy_fields.with(3, "80").error(), "no error");
    EXPECT_EQ(dynamic_fee_fields.with(5, "93" + recipient.substr(2)).error(),
              "not a valid EIP-1559 transaction: fields: to: has 19 bytes, but must have 20");
    EXPECT_EQ(blob_fields.with(5, "80").error(),
              "not a valid EIP-4844 transaction: fields: to: has 0 bytes, but must have 20");
    EXPECT_EQ(set_code_fields.with(5, "80").error(),
              "not a valid EIP-7702 transaction: fields: to: has 0 bytes, but must have 20");
}

TEST(Decode, RejectsNonCanonicalIntegers) {
    for (const std::size_t index : {0U, 1U, 2U, 3U, 4U, 6U, 9U, 10U, 11U}) {
        EXPECT_TRUE(dynamic_fee_fields.with(index, "00").error().ends_with("an integer must not have leading zeros"))
            << index;
    }
    EXPECT_EQ(dynamic_fee_fields.with(6, "a1" + std::string(66, '1')).error(),
              "not a valid EIP-1559 transaction: fields: value: has 33 bytes, but must fit 32");
}

TEST(Decode, RejectsSignaturesForbiddenByEip2) {
    static constexpr std::string_view before = "not a valid EIP-1559 transaction: fields: ";
    const auto why = [](const Fields& fields) { return fields.error().substr(before.size()); };
    EXPECT_EQ(why(dynamic_fee_fields.with(9, "02")), "y parity: is 2, but must be 0 or 1");
    EXPECT_EQ(why(dynamic_fee_fields.with(9, "1b")), "y parity: is 27, but must be 0 or 1");
    EXPECT_EQ(why(dynamic_fee_fields.with(10, "80")), "r: must be above 0 and below the order of the curve");
    EXPECT_EQ(why(dynamic_fee_fields.with(10, rlp_of_order)), "r: must be above 0 and below the order of the curve");
    EXPECT_EQ(why(dynamic_fee_fields.with(11, "80")),
              "s: must be above 0 and at most half the order of the curve (EIP-2)");
    EXPECT_EQ(why(dynamic_fee_fields.with(11, rlp_of_half_order_plus_one)),
              "s: must be above 0 and at most half the order of the curve (EIP-2)");
    // No point of the curve has x = 5.
    EXPECT_EQ(dynamic_fee_fields.with(10, "05").error(),
              "not a valid EIP-1559 transaction: no signer can be recovered");
}

TEST(Decode, ReadsChainIdFromLegacyV) {
    const auto chain_id = [](std::string v) {
        return std::get<LegacyTransaction>(decode(legacy_fields.with(6, std::move(v)).raw()).value().transaction)
            .chain_id;
    };
    EXPECT_EQ(chain_id("1b"), std::nullopt);
    EXPECT_EQ(chain_id("1c"), std::nullopt);
    EXPECT_EQ(chain_id("25"), 1U);
    EXPECT_EQ(chain_id("26"), 1U);
    EXPECT_EQ(chain_id("890200000000000000"
                       "21"),
              ~std::uint64_t{0});
    for (const auto* v : {"80", "01", "1d", "22", "89020000000000000023"})
        EXPECT_FALSE(decode(legacy_fields.with(6, v).raw())) << v;
}

TEST(Decode, RejectsInvalidBlobHashes) {
    EXPECT_EQ(blob_fields.with(10, "c0").error(),
              "not a valid EIP-4844 transaction: fields: blob hashes: a blob transaction has at least one blob");
    EXPECT_EQ(blob_fields.with(10, "e1a002" + std::string(62, 'a')).error(),
              "not a valid EIP-4844 transaction: fields: blob hashes: blob hash: has an unknown version");
}

TEST(Decode, RejectsInvalidAuthorizations) {
    EXPECT_EQ(set_code_fields.with(9, "c0").error(),
              "not a valid EIP-7702 transaction: fields: authorizations: a set-code transaction has at least one "
              "authorization");
    EXPECT_EQ(set_code_fields.with(9, "ddda0194" + recipient + "078001020102").error().substr(0, 54),
              "not a valid EIP-7702 transaction: fields: authorizatio");
    EXPECT_EQ(set_code_fields.with(9, "dddc0194" + recipient + "078201000102").error(),
              "not a valid EIP-7702 transaction: fields: authorizations: authorization 1: y parity: must fit one byte");
}

TEST(Decode, NamesPositionInAccessList) {
    const std::string entry = "d694" + recipient + "c0";
    EXPECT_EQ(access_list_fields.with(7, "d7" + entry).error(), "no error");
    EXPECT_EQ(
        access_list_fields.with(7, "d8" + entry + "80").error(),
        "not a valid EIP-2930 transaction: fields: access list: entry 2: is a string of bytes, but must be a list");
    EXPECT_EQ(access_list_fields.with(7, "d8d794" + recipient + "c101").error(),
              "not a valid EIP-2930 transaction: fields: access list: entry 1: storage keys: storage key: has 1 bytes, "
              "but must have 32");
}

RC_GTEST_PROP(DecodeProperty, RoundTripsSignedTransactions, (std::uint64_t seed, std::uint8_t key_number)) {
    const PrivateKey key = test::key(key_number);
    test::RandomTransactions random(seed);
    for (const test::Kind kind : test::all_kinds) {
        const Transaction transaction = random.next(kind);
        const SignedTransaction made = sign(transaction, key);
        const auto decoded = decode(made.raw);
        RC_ASSERT(decoded.has_value());
        RC_ASSERT(decoded->transaction == transaction);
        RC_ASSERT(decoded->sender == key.address());
        RC_ASSERT(decoded->hash == made.hash);
        RC_ASSERT(encode(decoded->transaction, decoded->signature) == made.raw);
    }
}

// Property: flipping any bit of a transaction makes it invalid or a different transaction.
RC_GTEST_PROP(DecodeProperty, DetectsEveryBitFlip, (std::uint64_t seed)) {
    test::RandomTransactions random(seed);
    for (const test::Kind kind : test::all_kinds) {
        const SignedTransaction made = sign(random.next(kind), test::key(1));
        Bytes flipped = made.raw;
        flipped[random.below(flipped.size())] ^= static_cast<std::uint8_t>(1U << random.below(8));
        const auto decoded = decode(flipped);
        if (!decoded) continue;
        RC_ASSERT(encode(decoded->transaction, decoded->signature) == flipped);
        RC_ASSERT(decoded->hash != made.hash);
        RC_ASSERT(decoded->hash == hash_of(flipped));
    }
}

RC_GTEST_PROP(DecodeProperty, RefusesEveryPrefix, (std::uint64_t seed)) {
    test::RandomTransactions random(seed);
    for (const test::Kind kind : test::all_kinds) {
        const SignedTransaction made = sign(random.next(kind), test::key(1));
        RC_ASSERT(!decode(ByteView(made.raw).first(random.below(made.raw.size()))));
    }
}

}  // namespace
}  // namespace fencepost::codec
