#include "sim/ledger/block_builder.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "base/crypto/keccak.hpp"
#include "codec/rlp.hpp"

namespace fencepost::sim {
namespace {

constexpr const char* out_of_gas = "out of gas";

// The address of a contract that an account deploys (yellow paper, section 7).
Address contract_address(const Address& sender, Nonce nonce) {
    codec::RlpWriter rlp;
    const auto list = rlp.begin_list();
    rlp.bytes(sender.view());
    rlp.integer(nonce.value());
    rlp.end_list(list);
    const auto hash = keccak256(rlp.view());
    Address address;
    std::copy(hash.begin() + 12, hash.end(), address.data.begin());
    return address;
}

/// A transaction and its position among the candidates, which are in order of arrival.
struct Candidate {
    SimTxPtr tx;
    std::size_t place = 0;
};

using Queues = std::map<Address, std::map<Nonce, Candidate>>;

// Equal prices go by age, as in geth: under any other rule an account could be passed over again and again.
bool pays_less(const Candidate& a, const Candidate& b, const Uint256& base_fee) {
    const auto tip_a = a.tx->tip_at(base_fee);
    const auto tip_b = b.tx->tip_at(base_fee);
    if (tip_a != tip_b) return tip_a < tip_b;
    if (max_fee(a.tx->fees) != max_fee(b.tx->fees)) return max_fee(a.tx->fees) < max_fee(b.tx->fees);
    return b.place < a.place;
}

Queues by_sender(std::span<const SimTxPtr> candidates, const Uint256& base_fee) {
    Queues queues;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate candidate{candidates[i], i};
        auto& slot = queues[candidate.tx->sender][candidate.tx->nonce];
        if (!slot.tx || pays_less(slot, candidate, base_fee)) slot = candidate;
    }
    return queues;
}

}  // namespace

BlockBuilder::BlockBuilder(const Contracts& contracts, SimState state, Uint256 base_fee, Gas gas_limit)
    : contracts_(&contracts),
      state_(std::move(state)),
      base_fee_(base_fee),
      gas_limit_(gas_limit) {}

CallOutcome BlockBuilder::try_call(const ContractCall& call, const std::optional<Address>& to) const {
    ContractStorage forgotten(state_, to.value_or(Address{}));
    return run(call, to, forgotten);
}

CallOutcome BlockBuilder::run(const ContractCall& call, const std::optional<Address>& to,
                              ContractStorage& storage) const {
    const Gas intrinsic = intrinsic_gas(to, call.data);
    const auto contract = to ? contracts_->find(*to) : contracts_->end();
    if (contract == contracts_->end()) return {.gas_used = intrinsic};
    auto result = contract->second(call, storage);
    return {.succeeded = result.succeeded,
            .gas_used = intrinsic.plus(result.gas.value()),
            .reason = std::move(result.reason),
            .output = std::move(result.output)};
}

CallOutcome BlockBuilder::execute(const SimTx& transaction) {
    const ContractCall call{.sender = transaction.sender, .value = transaction.value, .data = transaction.data};
    ContractStorage storage(state_, transaction.to.value_or(Address{}));
    auto outcome = run(call, transaction.to, storage);
    const auto authorizations = intrinsic_gas(transaction).above(intrinsic_gas(transaction.to, transaction.data));
    outcome.gas_used = outcome.gas_used.plus(authorizations);
    if (outcome.gas_used > transaction.gas_limit) {
        return {.succeeded = false, .gas_used = transaction.gas_limit, .reason = out_of_gas};
    }
    if (outcome.succeeded) storage.apply_to(state_);
    return outcome;
}

// Applied even when the transaction itself fails (EIP-7702).
void BlockBuilder::apply_authorizations(const SimTx& transaction) {
    for (const auto& authorization : transaction.authorizations) {
        if (state_.account(authorization.authority).nonce != authorization.nonce) continue;
        auto& authority = state_.edit(authorization.authority);
        authority.nonce = authority.nonce.next();
        authority.is_delegated = !authorization.clears;
    }
}

bool BlockBuilder::add(const SimTxPtr& transaction) {
    const auto& tx = *transaction;
    const auto sender = state_.account(tx.sender);
    const auto tip = tx.tip_at(base_fee_);
    if (tx.nonce != sender.nonce || !tip || tx.max_cost() > sender.balance) return false;
    if (tx.gas_limit.value() > gas_limit_.above(gas_used_)) return false;
    if (tx.gas_limit < intrinsic_gas(tx)) return false;

    auto outcome = execute(tx);
    const Uint256 price = base_fee_ + *tip;
    auto& payer = state_.edit(tx.sender);
    payer.nonce = payer.nonce.next();
    payer.balance = payer.balance - price * Uint256(outcome.gas_used.value());
    apply_authorizations(tx);
    Receipt receipt{.hash = tx.hash,
                    .block_number = {},
                    .block_hash = {},
                    .succeeded = outcome.succeeded,
                    .gas_used = outcome.gas_used,
                    .effective_gas_price = Wei(price),
                    .contract = {}};
    const Address to = tx.to ? *tx.to : contract_address(tx.sender, tx.nonce);
    if (!tx.to) receipt.contract = to.to_lower();
    if (outcome.succeeded) {
        payer.balance = payer.balance - tx.value.value();
        auto& payee = state_.edit(to);
        payee.balance = payee.balance + tx.value.value();
    }
    gas_used_ = gas_used_.plus(outcome.gas_used.value());
    transactions_.push_back(transaction);
    receipts_.push_back(std::move(receipt));
    reasons_.push_back(std::move(outcome.reason));
    return true;
}

void BlockBuilder::add_by_price(std::span<const SimTxPtr> candidates) {
    Queues queues = by_sender(candidates, base_fee_);
    const auto less = [this](const Candidate& a, const Candidate& b) { return pays_less(a, b, base_fee_); };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(less)> next(less);
    const auto offer = [&](const Address& sender) {
        const auto& queue = queues[sender];
        const auto found = queue.find(state_.account(sender).nonce);
        if (found != queue.end()) next.push(found->second);
    };
    for (const auto& [sender, queue] : queues)
        offer(sender);
    while (!next.empty()) {
        const auto best = next.top().tx;
        next.pop();
        if (add(best)) offer(best->sender);
    }
}

}  // namespace fencepost::sim
