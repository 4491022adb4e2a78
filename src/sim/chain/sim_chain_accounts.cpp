// The Chain port's reads of accounts and prices.
#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "sim/chain/sim_chain.hpp"
#include "sim/chain/sim_chain_reads.hpp"

namespace fencepost::sim {
namespace {

Address address_of(const SubmitterId& submitter) {
    const auto address = submitter.evm_address();
    FP_ASSERT(address, "{} is not an account of this chain", submitter);
    return *address;
}

GasEstimate estimate(const BlockBuilder& builder, const Call& call, std::uint64_t margin_percent) {
    const Address sender = address_of(call.from);
    std::optional<Address> to;
    if (call.to) {
        const auto parsed = Address::parse(*call.to);
        if (!parsed) return Reverted{parsed.error().what};
        to = *parsed;
    }
    if (builder.state().account(sender).balance < call.value.value()) {
        return Unaffordable{"insufficient funds for transfer"};
    }
    const auto outcome = builder.try_call({.sender = sender, .value = call.value, .data = call.data}, to);
    if (!outcome.succeeded) return Reverted{outcome.reason};
    return Gas(outcome.gas_used.value() * margin_percent / 100);
}

Uint256 tip_at(Speed speed, const Wei& normal) {
    switch (speed) {
        case Speed::slow:
            return normal.value() / Uint256(2);
        case Speed::normal:
            return normal.value();
        case Speed::fast:
            return normal.value() * Uint256(2);
    }
    FP_UNREACHABLE();
}

}  // namespace

Task<RpcResult<Nonce>> SimChain::transaction_count(SubmitterId submitter, At at) {
    Read<Nonce> read = [address = address_of(submitter), at](SimEndpoint& endpoint, const SimView& view) {
        return at == At::pending ? endpoint.visible_count(address) : view.at(at).state->account(address).nonce;
    };
    const auto answers = co_await all_answers<Nonce>(std::move(read), reported_height());
    if (!answers) co_return err(answers.error());
    co_return std::ranges::max(*answers);
}

Task<RpcResult<AccountCounts>> SimChain::counts(SubmitterId submitter) {
    using Both = std::pair<Nonce, Nonce>;
    Read<Both> read = [address = address_of(submitter)](SimEndpoint& endpoint, const SimView& view) {
        return Both(view.head().state->account(address).nonce, endpoint.visible_count(address));
    };
    const auto answers = co_await all_answers<Both>(std::move(read), reported_height());
    if (!answers) co_return err(answers.error());
    AccountCounts counts{.answered = answers->size(), .endpoints = network_.endpoints().size()};
    for (const auto& [latest, pending] : *answers) {
        counts.latest = std::max(counts.latest, latest);
        counts.pending = std::max({counts.pending, latest, pending});
    }
    co_return counts;
}

Task<RpcResult<Wei>> SimChain::balance(SubmitterId submitter, At at) {
    Read<Wei> read = [address = address_of(submitter), at](SimEndpoint& endpoint, const SimView& view) {
        const auto& state = at == At::pending ? endpoint.pending().state() : *view.at(at).state;
        return Wei(state.account(address).balance);
    };
    return first_answer<Wei>(by_height(), std::move(read), reported_height());
}

Task<RpcResult<GasEstimate>> SimChain::estimate_gas(Call call, At at) {
    Read<GasEstimate> read = [call = std::move(call), at, margin = options_.gas_margin_percent](SimEndpoint& endpoint,
                                                                                                const SimView& view) {
        if (at == At::pending) return estimate(endpoint.pending(), call, margin);
        return estimate(view.ledger().build_on(view.at(at)), call, margin);
    };
    return first_answer<GasEstimate>(by_height(), std::move(read), reported_height());
}

Task<RpcResult<Fees>> SimChain::fees(Speed speed) {
    Read<Fees> read = [tip = tip_at(speed, options_.tip)](SimEndpoint&, const SimView& view) -> Fees {
        if (!view.ledger().options().base_fee) return LegacyFee{Wei(tip)};
        const Uint256 base_fee = view.ledger().base_fee_after(view.head());
        return DynamicFee{.max_fee = Wei(base_fee * Uint256(2) + tip), .max_priority_fee = Wei(tip)};
    };
    return first_answer<Fees>(by_height(), std::move(read));
}

}  // namespace fencepost::sim
