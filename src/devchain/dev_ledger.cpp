#include "devchain/dev_ledger.hpp"

#include <utility>

#include <fmt/format.h>

#include "devchain/dev_contracts.hpp"

namespace fencepost::devchain {
namespace {

auto replay_error(std::string_view what) {
    return err(ParseError{fmt::format("replay failed, {}: written by another version of this program", what)});
}

}  // namespace

DevLedger::DevLedger(const Genesis& genesis)
    : ledger_({.chain_id = genesis.chain_id}, genesis.at),
      pool_(sim::MempoolOptions{}) {
    for (auto& [address, contract] : dev_contracts())
        ledger_.add_contract(address, std::move(contract));
}

void DevLedger::note(const Operation& operation) const {
    if (on_change_) on_change_(operation);
}

DevLedger::Submitted DevLedger::submit(const Bytes& raw) {
    const auto hash = codec::hash_of(raw);
    auto verdict = take(raw, hash);
    if (verdict.outcome == SendOutcome::accepted) note(Received{raw});
    return {hash, std::move(verdict)};
}

sim::Verdict DevLedger::take(const Bytes& raw, const TxHash& hash) {
    if (pool_.find(hash)) return {SendOutcome::already_known, "already known"};
    const auto decoded = codec::decode(raw);
    if (!decoded) {
        return {SendOutcome::rejected, fmt::format("transaction could not be decoded: {}", decoded.error().what)};
    }
    const auto transaction = sim::make_sim_tx(decoded->transaction, decoded->sender, hash, raw);
    if (transaction->chain_id.value_or(chain_id()) != chain_id()) {
        return {SendOutcome::invalid_signature, fmt::format("invalid sender: invalid chain id for signer: have {} "
                                                            "want {}",
                                                            *transaction->chain_id, chain_id())};
    }
    auto verdict = pool_.add(transaction, pool_head());
    pool_.promote(pool_head());
    return verdict;
}

sim::PoolHead DevLedger::pool_head() const {
    return {.state = *head().state,
            .gas_limit = ledger_.options().gas_limit,
            .next_base_fee = ledger_.base_fee_after(head())};
}

const sim::SimBlock& DevLedger::mine(UnixTime now) {
    const auto& block = seal(now, pool_.contents());
    note(Mined{now, block.hash(), block.block->transactions});
    return block;
}

const sim::SimBlock& DevLedger::seal(UnixTime now, const std::vector<sim::SimTxPtr>& candidates) {
    const auto& block = ledger_.mine(now, candidates);
    pool_.sync(pool_head());
    return block;
}

void DevLedger::fund(const Address& account, const Uint256& amount) {
    ledger_.fund(account, amount);
    note(Funded{account, amount});
}

bool DevLedger::evict(const TxHash& hash) {
    if (!pool_.evict(hash)) return false;
    note(Evicted{hash});
    return true;
}

Status<ParseError> DevLedger::reorg(std::uint64_t depth, UnixTime now) {
    if (depth == 0 || depth > ledger_.deepest_reorg()) {
        return err(ParseError{
            fmt::format("cannot replace {} blocks: the maximum depth is {}, because finalized blocks are permanent",
                        depth, ledger_.deepest_reorg())});
    }
    ledger_.reorg({.depth = depth, .fate = sim::Reorg::Fate::dropped}, now);
    pool_.sync(pool_head());
    note(Reorganised{now, depth, head().hash()});
    return {};
}

const sim::BlockBuilder& DevLedger::pending() const {
    const auto* state = head().state.get();
    if (!pending_ || pending_->head != &head() || pending_->state != state || pending_->revision != pool_.revision()) {
        auto builder = ledger_.build_on(head());
        builder.add_by_price(pool_.contents());
        pending_.emplace(Pending{state, pool_.revision(), &head(), std::move(builder)});
    }
    return pending_->builder;
}

Status<ParseError> DevLedger::replay(const Operation& operation) {
    return std::visit([this](const auto& known) { return replay_one(known); }, operation);
}

Status<ParseError> DevLedger::replay_one(const Funded& funded) {
    ledger_.fund(funded.account, funded.amount);
    return {};
}

Status<ParseError> DevLedger::replay_one(const Received& received) {
    if (take(received.raw, codec::hash_of(received.raw)).outcome == SendOutcome::accepted) return {};
    return replay_error("a transaction is refused");
}

Status<ParseError> DevLedger::replay_one(const Evicted& evicted) {
    if (pool_.evict(evicted.hash)) return {};
    return replay_error("a transaction to evict is missing");
}

Status<ParseError> DevLedger::replay_one(const Mined& mined) {
    std::vector<sim::SimTxPtr> candidates;
    for (const auto& hash : mined.transactions) {
        const auto waiting = pool_.find(hash);
        if (!waiting) return replay_error("a transaction of a block is missing");
        candidates.push_back(waiting);
    }
    if (seal(mined.at, candidates).hash() != mined.hash) return replay_error("a block has a different hash");
    return {};
}

Status<ParseError> DevLedger::replay_one(const Reorganised& reorganised) {
    if (!reorg(reorganised.depth, reorganised.at) || head().hash() != reorganised.head) {
        return replay_error("a reorg ends at a different head");
    }
    return {};
}

}  // namespace fencepost::devchain
