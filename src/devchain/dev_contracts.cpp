#include "devchain/dev_contracts.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/crypto/keccak.hpp"

namespace fencepost::devchain {
namespace {

using sim::CallResult;
using sim::ContractCall;
using sim::ContractStorage;

constexpr std::size_t selector_size = 4;
constexpr std::size_t word_size = 32;
constexpr std::uint64_t decimals = 18;
constexpr std::uint64_t token_gas = 30'000;

Address numbered(std::uint8_t number) {
    Address address;
    address.data = {0xfe, 0x0c, 0xe0};
    address.data.back() = number;
    return address;
}

bool calls(ByteView data, std::string_view signature) {
    const auto hash = keccak256(as_bytes(signature));
    return data.size() >= selector_size &&
           std::ranges::equal(data.first(selector_size), ByteView(hash).first(selector_size));
}

CallResult reverted(std::string reason) { return {.succeeded = false, .gas = Gas(5'000), .reason = std::move(reason)}; }
CallResult returned(const Uint256& value) {
    const auto word = value.to_big_endian();
    return {.gas = Gas(3'000), .output = Bytes(word.begin(), word.end())};
}

// Unlike compiled code, ignores the bytes before an address in its word.
std::optional<Bytes> argument(ByteView data, std::size_t index) {
    const auto begin = selector_size + index * word_size;
    if (data.size() < begin + word_size) return std::nullopt;
    return to_bytes(data.subspan(begin, word_size));
}
Bytes holder(const Bytes& word) { return {word.end() - Address::length, word.end()}; }
Bytes holder(const Address& address) { return to_bytes(address.view()); }

// Stores the balance plus one, so that an account without an entry has the initial balance.
Uint256 balance_of(const ContractStorage& storage, const Bytes& account) {
    const auto stored = storage.get(account);
    if (!stored.is_zero()) return stored - Uint256(1);
    constexpr std::uint64_t gwei = 1'000'000'000;
    return Uint256(1'000) * Uint256(gwei) * Uint256(gwei);
}
bool set_balance(ContractStorage& storage, const Bytes& account, const std::optional<Uint256>& balance) {
    const auto stored = balance ? Uint256::checked_add(*balance, 1) : std::nullopt;
    if (stored) storage.set(account, *stored);
    return stored.has_value();
}

CallResult credit(ContractStorage& storage, const Bytes& to, const Uint256& amount) {
    if (!set_balance(storage, to, Uint256::checked_add(balance_of(storage, to), amount))) {
        return reverted("token balance overflow");
    }
    auto result = returned(1);
    result.gas = Gas(token_gas);
    return result;
}

CallResult token(const ContractCall& call, ContractStorage& storage) {
    if (calls(call.data, "decimals()")) return returned(decimals);
    const auto first = argument(call.data, 0);
    if (!call.value.value().is_zero() || !first) return reverted("unknown token function");
    const auto account = holder(*first);
    if (calls(call.data, "balanceOf(address)")) return returned(balance_of(storage, account));
    const auto second = argument(call.data, 1);
    if (!second) return reverted("unknown token function");
    const auto amount = Uint256::from_big_endian(*second).value();
    if (calls(call.data, "mint(address,uint256)")) return credit(storage, account, amount);
    if (!calls(call.data, "transfer(address,uint256)")) return reverted("unknown token function");

    const auto sender = holder(call.sender);
    const auto left = Uint256::checked_sub(balance_of(storage, sender), amount);
    if (!left) return reverted("ERC20: transfer amount exceeds balance");
    set_balance(storage, sender, left);
    return credit(storage, account, amount);
}

}  // namespace

Address token_contract() { return numbered(1); }
Address refusing_contract() { return numbered(2); }

sim::Contracts dev_contracts() { return {{token_contract(), token}, {refusing_contract(), sim::always_reverts("no")}}; }

}  // namespace fencepost::devchain
