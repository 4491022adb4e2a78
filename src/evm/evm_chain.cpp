// Wires the parts of an EVM chain together and runs its background work.
#include "evm/evm_chain.hpp"

#include <utility>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include "base/assert.hpp"

namespace fencepost::evm {
namespace {

ChainPin pin_of(const ChainRef& ref, const std::optional<BlockHash>& genesis) {
    const auto chain_id = ref.evm_chain_id();
    FP_ASSERT(chain_id.has_value(), "{} is not an EVM chain", ref.to_string());
    return {.chain_id = *chain_id, .genesis = genesis};
}

FollowerOptions named(FollowerOptions options, const ChainRef& ref) {
    if (options.chain.empty()) options.chain = ref.to_string();
    return options;
}

}  // namespace

EvmChain::EvmChain(Executor executor, Clock& clock, Log& log, Telemetry& telemetry, ChainRef ref,
                   Connections connections, EvmChainOptions options)
    : executor_(std::move(executor)),
      clock_(clock),
      log_(log),
      ref_(std::move(ref)),
      options_(std::move(options)),
      hints_(std::move(connections.hints)),
      pool_(executor_, clock_, log_, telemetry, pin_of(ref_, options_.genesis), std::move(connections.endpoints),
            options_.pool),
      follower_(pool_, clock_, log_, named(options_.follower, ref_)),
      oracle_(pool_, options_.fees),
      gas_(pool_, options_.gas),
      diagnosis_(pool_),
      nonce_history_(pool_, options_.nonce_history) {}

Task<void> EvmChain::run() {
    TaskGroup group(executor_);
    group.spawn(pool_.run());
    group.spawn(follower_.run());
    group.spawn(feed_oracle());
    for (const auto& hint : hints_)
        group.spawn(watch_head_hints(hint));
    co_await group.join();
}

Task<void> EvmChain::feed_oracle() {
    const auto heads = follower_.subscribe();
    for (;;) {
        const auto event = co_await heads->next();
        if (!event.change.added.empty()) oracle_.on_head(event.change.added.back());
    }
}

Task<void> EvmChain::watch_head_hints(jsonrpc::SubscriptionOptions options) {
    for (;;) {
        co_await subscribe_once(options);
        co_await clock_.sleep_for(options_.resubscribe_pause);
    }
}

Task<void> EvmChain::subscribe_once(jsonrpc::SubscriptionOptions options) {
    jsonrpc::Subscription subscription(executor_, clock_, std::move(options));
    std::exception_ptr error;
    try {
        co_await receive_hints(&subscription);
    } catch (...) {
        error = std::current_exception();
    }
    // Close the subscription also when this task is cancelled. Closing has to wait, which a cancelled task may not. The
    // cancellation may have arrived just when the subscription ended by itself: then nothing was thrown.
    const auto state = co_await asio::this_coro::cancellation_state;
    const bool cancelled = state.cancelled() != asio::cancellation_type::none;
    co_await asio::this_coro::reset_cancellation_state();
    co_await subscription.close();
    if (error) std::rethrow_exception(error);
    if (cancelled) throw boost::system::system_error(asio::error::operation_aborted);
}

Task<void> EvmChain::receive_hints(jsonrpc::Subscription* subscription) {
    if (!co_await subscription->open(options_.pool.time_limit)) co_return;
    while (co_await subscription->next())
        follower_.poll_now();
}

Task<std::vector<SendReport>> EvmChain::send(SendBatch batch) {
    static_cast<void>(account_of(batch.from));
    return pool_.send(std::move(batch));
}

Task<RpcResult<std::vector<PoolView>>> EvmChain::query_pools(SubmitterId submitter, std::vector<PoolQuery> questions) {
    return pool_.look(account_of(submitter), std::move(questions), at_least_reported_head().at_least);
}

Task<RpcResult<GasEstimate>> EvmChain::estimate_gas(Call call, At at) {
    return gas_.estimate(std::move(call), at, at_least_reported_head());
}

Task<RpcResult<Fees>> EvmChain::fees(Speed speed) { return oracle_.fees(speed); }

std::unique_ptr<HeadStream> EvmChain::heads() { return follower_.subscribe(); }

Task<RpcResult<std::optional<TxLocation>>> EvmChain::find(TxHash hash) { return diagnosis_.find(hash); }

Task<RpcResult<std::optional<TxHash>>> EvmChain::pending_at(SubmitterId submitter, Nonce nonce) {
    return diagnosis_.pending_at(account_of(submitter), nonce);
}

Task<RpcResult<NonceUse>> EvmChain::find_nonce_use(SubmitterId submitter, Nonce nonce) {
    return nonce_history_.find_nonce_use(account_of(submitter), nonce);
}

Task<RpcResult<std::string>> EvmChain::failure_reason(Receipt receipt) {
    return diagnosis_.failure_reason(std::move(receipt));
}

Address EvmChain::account_of(const SubmitterId& submitter) const {
    FP_ASSERT(submitter.chain() == ref_, "{} was queried about {}", ref_.to_string(), submitter.to_string());
    return submitter.evm_address().value();
}

}  // namespace fencepost::evm
