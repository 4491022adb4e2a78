// Keys, transactions and a task runner that the signers' tests share.
#pragma once

#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "codec/signature.hpp"
#include "codec/transaction.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

/// The first two accounts of every development node.
inline constexpr std::string_view test_key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
inline constexpr std::string_view other_test_key = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

inline codec::PrivateKey key_of(std::string_view hex) { return *codec::PrivateKey::from_hex(hex); }

inline const Address test_address = key_of(test_key).address();
inline const Address other_test_address = key_of(other_test_key).address();

inline UnsignedTransaction dynamic_transaction(const Address& from, std::uint64_t chain_id = 31337) {
    return {.from = SubmitterId::evm(chain_id, from),
            .nonce = Nonce(7),
            .to = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            .value = Wei(1'000'000'000'000'000'000),
            .data = {0xca, 0xfe},
            .gas_limit = Gas(21'100),
            .fees = DynamicFee{.max_fee = Wei(30'000'000'000), .max_priority_fee = Wei(1'000'000'000)}};
}

inline UnsignedTransaction legacy_transaction(const Address& from, std::uint64_t chain_id = 31337) {
    auto transaction = dynamic_transaction(from, chain_id);
    transaction.fees = LegacyFee{Wei(20'000'000'000)};
    return transaction;
}

/// Returns the result of the task.
template <typename T>
T run(asio::io_context& context, Task<T> task) {
    std::optional<T> answer;
    asio::co_spawn(context, std::move(task), [&answer](const std::exception_ptr& error, T result) {
        if (error) std::rethrow_exception(error);
        answer = std::move(result);
    });
    context.restart();
    context.run();
    return std::move(answer).value();
}

template <typename T>
T run(Task<T> task) {
    asio::io_context context(1);
    return run(context, std::move(task));
}

}  // namespace fencepost::signers
