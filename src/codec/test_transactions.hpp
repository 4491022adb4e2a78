// Generates random transactions of every type for tests, reproducible by seed, with a preference for edge cases: zero,
// one byte, lengths at which RLP changes its form, the largest integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "base/crypto/xoshiro256.hpp"
#include "codec/transaction.hpp"

namespace fencepost::codec::test {

enum class Kind { legacy, unprotected, access_list, dynamic_fee, blob, set_code };
inline constexpr std::array all_kinds{Kind::legacy,      Kind::unprotected, Kind::access_list,
                                      Kind::dynamic_fee, Kind::blob,        Kind::set_code};

/// A publicly known key for tests.
inline PrivateKey key(std::uint8_t number) {
    const std::array<std::uint8_t, 1> seed{number};
    return PrivateKey::from_bytes(keccak256(seed)).value();
}

class RandomTransactions {
public:
    /// `max_number` limits nonce and chain id: JavaScript counts to 2^53-1.
    explicit RandomTransactions(std::uint64_t seed, std::uint64_t max_number = ~std::uint64_t{1})
        : random_({seed, 1, 2, 3}),
          max_number_(max_number) {
        for (int i = 0; i < 16; ++i)  // similar seeds must not start alike
            (void)random_.next();
    }

    [[nodiscard]] Transaction next(Kind kind) {
        switch (kind) {
            case Kind::legacy:
                return legacy(1 + number() / 4);
            case Kind::unprotected:
                return legacy(std::nullopt);
            case Kind::access_list: {
                auto result = called<AccessListTransaction>();
                result.gas_price = wei();
                return result;
            }
            case Kind::dynamic_fee:
                return dynamic<DynamicFeeTransaction>();
            case Kind::blob: {
                auto result = dynamic<BlobTransaction>();
                result.max_fee_per_blob_gas = wei();
                result.blob_hashes = fixed_list<BlobHash>(1 + below(6));
                for (auto& hash : result.blob_hashes)
                    hash.data[0] = 1;
                return result;
            }
            case Kind::set_code: {
                auto result = dynamic<SetCodeTransaction>();
                for (auto left = 1 + below(3); left > 0; --left)
                    result.authorizations.push_back(authorization());
                return result;
            }
        }
        FP_UNREACHABLE();
    }

    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_.next() % bound; }

private:
    std::uint64_t number() {
        const std::uint64_t value = random_.next() >> below(64);
        return below(16) == 0 ? max_number_ : value % max_number_;
    }

    Wei wei() {
        std::array<std::uint8_t, 32> bytes{};
        fill(bytes);
        if (below(16) == 0) return Wei(Uint256::max());
        return Wei(*Uint256::from_big_endian(ByteView(bytes).first(below(33))));
    }

    void fill(std::span<std::uint8_t> bytes) {
        for (auto& byte : bytes)
            byte = static_cast<std::uint8_t>(random_.next());
    }

    template <typename T>
    T fixed() {
        T result;
        if (below(8) != 0) fill(result.data);
        return result;
    }

    template <typename T>
    std::vector<T> fixed_list(std::uint64_t count) {
        std::vector<T> list(count);
        for (auto& item : list)
            item = fixed<T>();
        return list;
    }

    Bytes data() {
        static constexpr std::array<std::uint64_t, 9> lengths{0, 1, 2, 54, 55, 56, 255, 256, 700};
        Bytes bytes(below(2) == 0 ? lengths[below(lengths.size())] : below(300));
        fill(bytes);
        if (below(4) == 0 && !bytes.empty()) bytes[0] &= 0x7fU;
        return bytes;
    }

    AccessList access_list() {
        AccessList list(below(2) == 0 ? 0 : below(5));
        for (auto& entry : list)
            entry = {fixed<Address>(), fixed_list<StorageKey>(below(4))};
        return list;
    }

    Authorization authorization() {
        const Authorization wanted{
            .chain_id = Uint256(below(4) == 0 ? 0 : number()), .address = fixed<Address>(), .nonce = number()};
        return authorize(wanted, key(static_cast<std::uint8_t>(below(8))));
    }

    void destination(Address& to) { to = fixed<Address>(); }
    void destination(std::optional<Address>& to) {
        if (below(6) != 0) to = fixed<Address>();
    }

    void call(auto& result) {
        result.nonce = Nonce(number());
        result.gas_limit = Gas(random_.next() >> below(64));
        destination(result.to);
        result.value = wei();
        result.data = data();
    }

    LegacyTransaction legacy(std::optional<std::uint64_t> chain_id) {
        LegacyTransaction result;
        call(result);
        result.chain_id = chain_id;
        result.gas_price = wei();
        return result;
    }

    template <typename T>
    T called() {
        T result;
        call(result);
        result.chain_id = 1 + number() / 2;
        result.access_list = access_list();
        return result;
    }

    template <typename T>
    T dynamic() {
        auto result = called<T>();
        const Wei one = wei();
        const Wei other = wei();
        result.max_fee = std::max(one, other);
        result.max_priority_fee = std::min(one, other);
        return result;
    }

    Xoshiro256 random_;
    std::uint64_t max_number_;
};

}  // namespace fencepost::codec::test
