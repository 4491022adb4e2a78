// Encoding of every transaction type against known results of ethers and viem.
#include "codec/transaction.hpp"

#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "codec/sign.hpp"

namespace fencepost::codec {
namespace {

const Address some_address{*Address::from(Bytes(20, 0x35))};
const Wei gwei_20(Uint256(20'000'000'000));
const Wei ether(Uint256(1'000'000'000'000'000'000));

PrivateKey key_of_the_eip() { return PrivateKey::from_bytes(Bytes(32, 0x46)).value(); }

std::string raw_hex(const Transaction& transaction) { return to_hex(sign(transaction, key_of_the_eip()).raw); }
std::string digest_hex(const Transaction& transaction) { return to_hex(signing_digest(transaction).view()); }
std::string hash_hex(const Transaction& transaction) { return to_hex(sign(transaction, key_of_the_eip()).hash.view()); }

LegacyTransaction legacy(std::optional<std::uint64_t> chain_id) {
    return {.chain_id = chain_id,
            .nonce = Nonce(9),
            .gas_price = gwei_20,
            .gas_limit = Gas(21'000),
            .to = some_address,
            .value = ether};
}

template <typename T>
T typed() {
    T result;
    result.chain_id = 1;
    result.nonce = Nonce(9);
    result.gas_limit = Gas(21'000);
    result.to = some_address;
    result.value = ether;
    result.data = from_hex("a9059cbb").value();
    if constexpr (requires { result.max_fee; }) {
        result.max_fee = gwei_20;
        result.max_priority_fee = Wei(Uint256(1'000'000'000));
    }
    return result;
}

// The example in EIP-155.
TEST(Transaction, MatchesEip155Example) {
    const LegacyTransaction transaction = legacy(1);
    EXPECT_EQ(digest_hex(transaction), "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53");
    EXPECT_EQ(raw_hex(transaction),
              "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025"
              "a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
              "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83");
    EXPECT_EQ(type_name(transaction), "legacy");
}

// The EIPs of newer types have no examples. These are the identical results of ethers and viem.
TEST(Transaction, PreEip155MatchesEthers) {
    EXPECT_EQ(digest_hex(legacy(std::nullopt)), "f9e36c28c8cb35adba138005c02ab7aa7fbcd891f3139cb2eeed052a51cd2713");
    EXPECT_EQ(raw_hex(legacy(std::nullopt)),
              "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000801b"
              "a08383adc8b8ae116f918fb44ca7ff9dfd8012596a5c130c6246a2cc717ba41cda"
              "a053ddfacf5bd4aa7e46d1575acf52636ea659b91f29e2fb91c75567a279738f38");
}

TEST(Transaction, Eip2930MatchesEthersAndViem) {
    auto transaction = typed<AccessListTransaction>();
    transaction.gas_price = gwei_20;
    StorageKey first;
    first.data.back() = 1;
    StorageKey last;
    last.data.fill(0xff);
    transaction.access_list = {{Address{*Address::from(Bytes(20, 0x11))}, {first, last}}, {some_address, {}}};
    EXPECT_EQ(digest_hex(transaction), "b3458e8b2ade36d6a58ce0617c2d55ae9c6eef58447a78b0063eca11ada3d3ce");
    EXPECT_EQ(hash_hex(transaction), "8c03f374595c9fb32171ca2451bae08cd05d1c506371a274f8ea945c9b0e7f02");
    EXPECT_EQ(raw_hex(transaction),
              "01f8e501098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000084a9059cbb"
              "f872f859941111111111111111111111111111111111111111f842"
              "a00000000000000000000000000000000000000000000000000000000000000001"
              "a0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
              "d6943535353535353535353535353535353535353535c0"
              "80a01aac674fa33d1646a9a8354e029fca7e7eb2fd96b7bcbfbcecb9cedf33049914"
              "a06c73630156c3b91db84ee0931f42e86ed8f85e363c76848619b39ffdb1fee364");
    EXPECT_EQ(type_name(transaction), "EIP-2930");
}

TEST(Transaction, Eip1559MatchesEthersAndViem) {
    const auto transaction = typed<DynamicFeeTransaction>();
    EXPECT_EQ(digest_hex(transaction), "3841cc1638ecd24332843f4c858449062b8d1ac20c393ae562c6c23d6e922b13");
    EXPECT_EQ(hash_hex(transaction), "007b2ef2b7bcc554f0c5e0bb0b1eacadc58fbdf0a0c6f2e4c4a92f8469850533");
    EXPECT_EQ(raw_hex(transaction),
              "02f8770109843b9aca008504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000"
              "84a9059cbbc080a014c235996b110370c7c707b00cef49230c7aafeafc4d45a873ed69f74d8c0421"
              "a019ae1dfbef791228dae884323fcd6b05c1fc3e076d8cb2e576bcacbf1dcf783f");
    EXPECT_EQ(type_name(transaction), "EIP-1559");
}

TEST(Transaction, Eip4844MatchesEthersAndViem) {
    auto transaction = typed<BlobTransaction>();
    transaction.max_fee_per_blob_gas = Wei(Uint256(3));
    BlobHash hash;
    hash.data.fill(0xab);
    hash.data[0] = 1;
    transaction.blob_hashes = {hash};
    EXPECT_EQ(digest_hex(transaction), "944c9fcce2cc96ef4668426be940fb93fd8347b5cd7ea013b336b7ee6b185031");
    EXPECT_EQ(hash_hex(transaction), "8dcc970419e8f6f0016b1b1ceacb2ca9ee15b6e886bf16dcc343a406074f021b");
    EXPECT_EQ(raw_hex(transaction),
              "03f89a0109843b9aca008504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000"
              "84a9059cbbc003e1a001ababababababababababababababababababababababababababababababab01"
              "a0efdb93dbc5add663699c56f1cac4198f0a80c735552db60a4ced4a0d7372a747"
              "a02a4f9bf8dbf044f2a7e4874c71a54f2aa591fd49840894fff47d4692ef472f70");
    EXPECT_EQ(type_name(transaction), "EIP-4844");
}

TEST(Transaction, Eip7702MatchesEthersAndViem) {
    auto transaction = typed<SetCodeTransaction>();
    const Authorization wanted{.chain_id = Uint256(1), .address = Address{*Address::from(Bytes(20, 0x22))}, .nonce = 7};
    EXPECT_EQ(to_hex(signing_digest(wanted).view()),
              "eb1cce4707677a1968b78c5e74535d51773d66a8d2e291718937e3ddb3d44386");
    transaction.authorizations = {authorize(wanted, key_of_the_eip())};
    EXPECT_EQ(digest_hex(transaction), "e412706fb535c62f9e099bf000d504079f0fde7ffd88e13c56971fd6f5e5a8d4");
    EXPECT_EQ(hash_hex(transaction), "eccbf9241c22826805160954811c68ac50c65d5d5958ea38e494ae8f83ba8055");
    EXPECT_EQ(raw_hex(transaction),
              "04f8d50109843b9aca008504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000"
              "84a9059cbbc0f85cf85a019422222222222222222222222222222222222222220780"
              "a01a2b0a4564e72ec423cd06eb9f80680867d87217ddc98a8066bc992786fe94c6"
              "a064cb5873352e315f6f522a61f432e73e37d2e6abe0ef68ee92a14e662ef196fa01"
              "a0f7ff2c021e67b4864fdf93d0516fadde624677ba75da4cfa395d3ee6840fce87"
              "a026e89f0bf4b3b203e0164235474d48d1a4dbb4607b26bb4d24e592676288ff5f");
    EXPECT_EQ(type_name(transaction), "EIP-7702");
}

TEST(Authorization, RecoversAuthority) {
    const PrivateKey key = key_of_the_eip();
    const Authorization given = authorize({.chain_id = Uint256(0), .address = some_address, .nonce = 3}, key);
    EXPECT_EQ(authority_of(given), key.address());

    Authorization wrong = given;
    wrong.y_parity = 2;
    EXPECT_EQ(authority_of(wrong), std::nullopt);
    wrong = given;
    wrong.s = Uint256::max();
    EXPECT_EQ(authority_of(wrong), std::nullopt);
    wrong = given;
    wrong.r = Uint256(0);
    EXPECT_EQ(authority_of(wrong), std::nullopt);
    wrong = given;
    wrong.nonce = 4;
    EXPECT_NE(authority_of(wrong), key.address());
}

}  // namespace
}  // namespace fencepost::codec
