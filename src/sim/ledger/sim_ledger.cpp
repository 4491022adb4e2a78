#include "sim/ledger/sim_ledger.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "codec/rlp.hpp"

namespace fencepost::sim {
namespace {

// Hashes the header fields that distinguish blocks. The serial number stands for the miner's own fields, so that a
// branch with the same transactions still has other hashes.
BlockHash hash_block(const Block& block, std::uint64_t serial) {
    codec::RlpWriter rlp;
    const auto list = rlp.begin_list();
    rlp.bytes(block.ref.parent.view());
    rlp.integer(block.ref.number.value());
    rlp.integer(static_cast<std::uint64_t>(block.time.time_since_epoch().count()));
    rlp.integer(block.base_fee.value_or(Wei{}).value());
    rlp.integer(serial);
    for (const auto& hash : block.transactions)
        rlp.bytes(hash.view());
    rlp.end_list(list);
    return {keccak256(rlp.view())};
}

std::optional<BlockNumber> behind(BlockNumber number, std::uint64_t lag) {
    if (number.value() < lag) return std::nullopt;
    return BlockNumber(number.value() - lag);
}

}  // namespace

SimLedger::SimLedger(LedgerOptions options, UnixTime now) : options_(options) {
    seal(nullptr, BlockBuilder(contracts_, SimState{}, Uint256{}, options_.gas_limit), now);
    steps_.push_back({now, &head()});
}

void SimLedger::change_state(std::function<void(SimState&)> change) {
    auto& block = *canonical_.back();
    SimState state = *block.state;
    change(state);
    block.state = std::make_shared<const SimState>(std::move(state));
    state_changes_.emplace(block.number(), std::move(change));
}

void SimLedger::fund(const Address& address, const Uint256& amount) {
    change_state([address, amount](SimState& state) {
        auto& account = state.edit(address);
        account.balance = account.balance + amount;
    });
}

void SimLedger::set_delegated(const Address& address, bool delegated) {
    change_state([address, delegated](SimState& state) { state.edit(address).is_delegated = delegated; });
}

void SimLedger::set_nonce(const Address& address, Nonce nonce) {
    auto& block = *canonical_.back();
    FP_ASSERT(block.parent == nullptr, "set_nonce must precede the first mined block");
    SimState state = *block.state;
    state.edit(address).nonce = nonce;
    block.state = std::make_shared<const SimState>(std::move(state));
}

void SimLedger::apply_state_changes(SimState& state, BlockNumber number) const {
    const auto [first, last] = state_changes_.equal_range(number);
    for (auto entry = first; entry != last; ++entry)
        entry->second(state);
}

void SimLedger::add_contract(const Address& address, SimContract contract) {
    contracts_.insert_or_assign(address, std::move(contract));
}

Uint256 SimLedger::base_fee_after(const SimBlock& parent) const {
    if (!options_.base_fee) return {};
    if (next_base_fee_ && &parent == &head()) return next_base_fee_->value();
    const Uint256 fee = parent.block->base_fee.value_or(*options_.base_fee).value();
    if (options_.base_fee_is_fixed) return fee;
    // EIP-1559: changes by at most an eighth, up or down as the parent used more or less than half of its gas limit.
    const Uint256 target = options_.gas_limit.value() / 2;
    const Uint256 used = parent.gas_used.value();
    if (used > target) return fee + std::max(fee * (used - target) / target / Uint256(8), Uint256(1));
    return fee - fee * (target - used) / target / Uint256(8);
}

BlockBuilder SimLedger::build_on(const SimBlock& parent) const {
    return {contracts_, *parent.state, base_fee_after(parent), options_.gas_limit};
}

const SimBlock& SimLedger::mine(UnixTime now, std::span<const SimTxPtr> candidates) {
    auto builder = build_on(head());
    builder.add_by_price(candidates);
    const auto& sealed = seal(&head(), std::move(builder), now);
    steps_.push_back({now, &sealed});
    return sealed;
}

Block SimLedger::header(const SimBlock* parent, const BlockBuilder& built, UnixTime now) {
    Block block;
    block.time = now;
    block.base_fee = options_.base_fee;
    if (parent != nullptr) {
        block.ref.number = parent->number().next();
        block.ref.parent = parent->hash();
        block.time = std::max(now, parent->block->time);
        if (options_.base_fee) block.base_fee = Wei(base_fee_after(*parent));
    }
    for (const auto& transaction : built.transactions())
        block.transactions.push_back(transaction->hash);
    block.ref.hash = hash_block(block, sealed_++);
    return block;
}

const SimBlock& SimLedger::seal(const SimBlock* parent, BlockBuilder built, UnixTime now) {
    auto sealed = std::make_shared<SimBlock>();
    auto block = std::make_shared<Block>(header(parent, built, now));
    apply_state_changes(built.state(), block->ref.number);
    sealed->parent = parent;
    sealed->transactions = built.transactions();
    sealed->receipts = built.receipts();
    sealed->reasons = built.reasons();
    sealed->gas_used = built.gas_used();
    const bool unchanged =
        parent != nullptr && sealed->transactions.empty() && !state_changes_.contains(block->ref.number);
    sealed->state = unchanged ? parent->state : std::make_shared<const SimState>(std::move(built.state()));
    for (auto& receipt : sealed->receipts) {
        receipt.block_number = block->ref.number;
        receipt.block_hash = block->ref.hash;
    }
    sealed->block = std::move(block);
    next_base_fee_.reset();
    extend(parent, sealed);
    return *sealed;
}

void SimLedger::extend(const SimBlock* parent, std::shared_ptr<SimBlock> sealed) {
    FP_ASSERT(parent == nullptr ? canonical_.empty() : parent == &head());
    set_finality(*sealed);
    highest_finalized_ = sealed->finalized;
    for (std::size_t i = 0; i < sealed->transactions.size(); ++i) {
        const auto& transaction = *sealed->transactions[i];
        by_hash_[transaction.hash].emplace_back(sealed.get(), i);
        by_nonce_[{transaction.sender, transaction.nonce}].emplace_back(sealed.get(), i);
    }
    blocks_.emplace(sealed->hash(), sealed);
    canonical_.push_back(std::move(sealed));
}

// Never lower than an earlier finalized block, even while a new branch is still shorter than the one it replaces.
void SimLedger::set_finality(SimBlock& sealed) const {
    sealed.finalized = std::max(behind(sealed.number(), options_.finalized_lag), highest_finalized_);
    sealed.safe = std::max(behind(sealed.number(), options_.safe_lag), sealed.finalized);
}

}  // namespace fencepost::sim
