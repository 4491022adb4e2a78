// The Chain port's reads for diagnosis: pools, nonce use and failure reasons.
#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "sim/chain/sim_chain.hpp"
#include "sim/chain/sim_chain_reads.hpp"

namespace fencepost::sim {
namespace {

TxLocation sighting_of(const SimBlock& block) { return {.block_number = block.number(), .block_hash = block.hash()}; }

}  // namespace

Task<RpcResult<std::optional<TxLocation>>> SimChain::find(TxHash hash) {
    Read<std::optional<TxLocation>> read = [hash](SimEndpoint& endpoint, const SimView& view) {
        if (const auto found = view.executed(hash)) return std::optional(sighting_of(*found->block));
        return endpoint.visible(hash) ? std::optional(TxLocation{}) : std::nullopt;
    };
    const auto answers = co_await all_answers<std::optional<TxLocation>>(std::move(read));
    if (!answers) co_return err(answers.error());
    // The highest block of the endpoints that saw it mined; an endpoint that still has it pending only lags.
    const auto key = [](const auto& answer) {
        return std::pair(answer.has_value(), answer ? answer->block_number : std::nullopt);
    };
    co_return std::ranges::max(*answers, {}, key);
}

Task<RpcResult<std::optional<TxHash>>> SimChain::pending_at(SubmitterId submitter, Nonce nonce) {
    Read<std::optional<TxHash>> read = [address = *submitter.evm_address(), nonce](SimEndpoint& endpoint,
                                                                                   const SimView& /*view*/) {
        const auto waiting = endpoint.visible_at(address, nonce);
        return waiting ? std::optional(waiting->hash) : std::nullopt;
    };
    const auto answers = co_await all_answers<std::optional<TxHash>>(std::move(read));
    if (!answers) co_return err(answers.error());
    const auto found = std::ranges::find_if(*answers, [](const auto& answer) { return answer.has_value(); });
    if (found == answers->end()) co_return std::optional<TxHash>{};
    co_return *found;
}

Task<RpcResult<NonceUse>> SimChain::find_nonce_use(SubmitterId submitter, Nonce nonce) {
    Read<NonceUse> read = [address = *submitter.evm_address(), nonce](SimEndpoint& endpoint, const SimView& view) {
        NonceUse use{.consumed = view.head().state->account(address).nonce > nonce};
        const auto found = view.executed(address, nonce);
        if (found && endpoint.remembers(*found->block)) {
            use.by = found->transaction->hash;
            use.where = sighting_of(*found->block);
        }
        return use;
    };
    return first_answer<NonceUse>(by_height(), std::move(read));
}

Task<RpcResult<std::string>> SimChain::failure_reason(Receipt receipt) {
    Read<std::string> read = [receipt = std::move(receipt)](SimEndpoint&,
                                                            const SimView& view) -> RpcResult<std::string> {
        const auto* block = view.block(receipt.block_hash);
        if (block == nullptr) return err(RpcError{RpcError::Kind::refused, "no such block"});
        const auto found = std::ranges::find(block->receipts, receipt.hash, &Receipt::hash);
        if (found == block->receipts.end()) return err(RpcError{RpcError::Kind::refused, "no such transaction"});
        return block->reasons[static_cast<std::size_t>(found - block->receipts.begin())];
    };
    return first_answer<std::string>(by_height(), std::move(read));
}

// Where an endpoint has returned a transaction of ours by hash, the hash decides; its count may skip gaps (Erigon).
// Elsewhere the count can prove that a transaction is present, and nothing can prove that it is absent. A transaction
// that is known by hash but not counted is out of order or dropped (Nethermind): it is not absent, and no reason to
// send more.
Task<RpcResult<std::vector<PoolView>>> SimChain::query_pools(SubmitterId submitter, std::vector<PoolQuery> questions) {
    Read<PoolView> read = [shows_pool = shows_pool_, address = *submitter.evm_address(),
                           questions = std::move(questions)](SimEndpoint& endpoint, const SimView& view) {
        PoolView seen{.endpoint = endpoint.name(),
                      .mined = view.head().state->account(address).nonce,
                      .pending = endpoint.visible_count(address),
                      .presence = {}};
        std::vector<bool> visible;
        visible.reserve(questions.size());
        for (const auto& [nonce, hashes] : questions) {
            visible.push_back(
                std::ranges::any_of(hashes, [&](const auto& hash) { return endpoint.visible(hash) != nullptr; }));
        }
        if (std::ranges::find(visible, true) != visible.end()) shows_pool->insert(endpoint.name());
        const bool shows = shows_pool->contains(endpoint.name());
        for (std::size_t i = 0; i < questions.size(); ++i) {
            const auto nonce = questions[i].nonce;
            const bool is_counted = nonce < seen.pending;
            const bool is_held = nonce < seen.mined || (is_counted && (visible[i] || !shows));
            const bool is_absent = shows && !visible[i] && !is_held;
            seen.presence.push_back(is_held ? Presence::held : is_absent ? Presence::absent : Presence::unknown);
        }
        return seen;
    };
    return all_answers<PoolView>(std::move(read), reported_height());
}

Task<RpcResult<bool>> SimChain::is_delegated(SubmitterId submitter) {
    Read<bool> read = [address = *submitter.evm_address()](SimEndpoint&, const SimView& view) {
        return view.head().state->account(address).is_delegated;
    };
    return first_answer<bool>(by_height(), std::move(read), reported_height());
}

}  // namespace fencepost::sim
