#include "codec_speed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <secp256k1_recovery.h>
#include <span>
#include <vector>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "codec/sign.hpp"

namespace fencepost::bench {
namespace {

constexpr int rounds = 31;
constexpr std::uint64_t per_round = 1'000;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.at(values.size() / 2);
}

/// How often per CPU second `work` runs, with a new number each time. CPU time, because other processes use the machine
/// as well.
double per_second(std::uint64_t first, auto work) {
    const std::clock_t start = std::clock();
    for (std::uint64_t i = first; i < first + per_round; ++i)
        work(i);
    return static_cast<double>(per_round) * CLOCKS_PER_SEC / static_cast<double>(std::clock() - start);
}

codec::PrivateKey key() { return codec::PrivateKey::from_bytes(keccak256({})).value(); }

class BareSigning {
public:
    BareSigning() { FP_ASSERT(secp256k1_context_randomize(context_, secret_.data()) == 1); }
    ~BareSigning() { secp256k1_context_destroy(context_); }
    BareSigning(const BareSigning&) = delete;
    BareSigning& operator=(const BareSigning&) = delete;

    void sign(std::uint64_t number) {
        std::ranges::copy(std::as_bytes(std::span(&number, 1)), reinterpret_cast<std::byte*>(digest_.data()));
        secp256k1_ecdsa_recoverable_signature made{};
        FP_ASSERT(secp256k1_ecdsa_sign_recoverable(context_, &made, digest_.data(), secret_.data(), nullptr, nullptr) ==
                  1);
    }

private:
    secp256k1_context* context_ = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    std::array<std::uint8_t, 32> secret_ = keccak256({});
    std::array<std::uint8_t, 32> digest_{};
};

/// An ERC-20 transfer, the most common transaction with data.
UnsignedTransaction transfer(const Address& from) {
    return {.from = SubmitterId::evm(1, from),
            .nonce = Nonce(0),
            .to = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
            .value = Wei(Uint256(0)),
            .data = Bytes(4 + 2 * 32, 0xab),
            .gas_limit = Gas(60'000),
            .fees = DynamicFee{Wei(Uint256(40'000'000'000)), Wei(Uint256(1'000'000'000))}};
}

}  // namespace

CodecSpeed measure_codec() {
    const codec::PrivateKey sender = key();
    UnsignedTransaction transaction = transfer(sender.address());
    BareSigning bare;
    std::vector<double> ours, ceiling, ratios, decodes;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t first = round * per_round;
        ceiling.push_back(per_second(first, [&](std::uint64_t number) { bare.sign(number); }));
        SignedTransaction made;
        ours.push_back(per_second(first, [&](std::uint64_t number) {
            transaction.nonce = Nonce(number);
            made = codec::sign(transaction, sender);
        }));
        ratios.push_back(ours.back() / ceiling.back());
        decodes.push_back(per_second(first, [&](std::uint64_t) { FP_ASSERT(codec::decode(made.raw).has_value()); }));
    }
    return {median(ours), median(ceiling), median(ratios), median(decodes)};
}

}  // namespace fencepost::bench
