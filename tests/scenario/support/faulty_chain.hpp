// A node's handle on the simulated chain: counts expensive calls, and injects failures and delays.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/chain/sim_chain.hpp"

namespace fencepost::scenario {

class FaultyChain final : public sim::SimChain {
public:
    FaultyChain(sim::SimNode& process, sim::SimNetwork& network) : SimChain(process, network), clock_(process) {}

    /// All receipt calls, by hash or by block, fail until changed.
    void fail_receipts(bool fail) { fail_receipts_ = fail; }
    /// No endpoint answers this node's queries at an opening.
    void cut_off(bool cut) { cut_off_ = cut; }
    /// Delays receipt calls by hash.
    void delay_polls(Duration delay) { poll_delay_ = delay; }
    /// Delays receipt calls by block.
    void delay_block_calls(Duration delay) { block_delay_ = delay; }

    /// The next queries for a revert reason fail.
    void fail_reasons(std::size_t count) { fail_reasons_ = count; }

    /// Scripts the next nonce-use answer, as an endpoint on a lost branch would give it.
    void answer_next_use(NonceUse use) { next_use_ = use; }

    struct Poll {
        Instant at;
        std::size_t hashes;
    };
    [[nodiscard]] const std::vector<Poll>& polls() const { return polls_; }
    [[nodiscard]] std::size_t polls_at_once() const { return most_polling_; }
    [[nodiscard]] std::size_t block_calls() const { return block_calls_; }
    [[nodiscard]] std::size_t balance_calls() const { return balance_calls_; }
    [[nodiscard]] std::size_t estimates() const { return estimates_; }

    [[nodiscard]] Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts(std::vector<TxHash> hashes,
                                                                                Evidence evidence) override {
        polls_.push_back({clock_.monotonic(), hashes.size()});
        most_polling_ = std::max(most_polling_, ++polling_);
        const auto count = hashes.size();
        co_await clock_.sleep_for(poll_delay_);
        auto answers = fail_receipts_ ? no_answers(count) : co_await SimChain::receipts(std::move(hashes), evidence);
        --polling_;
        co_return answers;
    }
    [[nodiscard]] Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts_in(
        BlockRef block, std::vector<TxHash> hashes) override {
        ++block_calls_;
        if (block_delay_ != Duration{}) co_await clock_.sleep_for(block_delay_);
        if (fail_receipts_) co_return no_answers(hashes.size());
        co_return co_await SimChain::receipts_in(block, std::move(hashes));
    }
    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId submitter) override {
        if (cut_off_) co_return err(RpcError{RpcError::Kind::timed_out, "cut off"});
        co_return co_await SimChain::counts(std::move(submitter));
    }
    [[nodiscard]] Task<RpcResult<Wei>> balance(SubmitterId submitter, At at) override {
        ++balance_calls_;
        return SimChain::balance(std::move(submitter), at);
    }
    [[nodiscard]] Task<RpcResult<NonceUse>> find_nonce_use(SubmitterId submitter, Nonce nonce) override {
        if (const auto scripted = std::exchange(next_use_, std::nullopt)) co_return *scripted;
        co_return co_await SimChain::find_nonce_use(std::move(submitter), nonce);
    }
    [[nodiscard]] Task<RpcResult<std::string>> failure_reason(Receipt receipt) override {
        if (fail_reasons_ > 0) {
            --fail_reasons_;
            co_return err(RpcError{RpcError::Kind::timed_out, "asked"});
        }
        co_return co_await SimChain::failure_reason(std::move(receipt));
    }
    [[nodiscard]] Task<RpcResult<GasEstimate>> estimate_gas(Call call, At at) override {
        ++estimates_;
        return SimChain::estimate_gas(std::move(call), at);
    }

private:
    [[nodiscard]] static std::vector<RpcResult<std::optional<Receipt>>> no_answers(std::size_t count) {
        return std::vector(count, RpcResult<std::optional<Receipt>>(err(RpcError{RpcError::Kind::timed_out, "asked"})));
    }

    sim::SimClock clock_;
    bool fail_receipts_ = false;
    bool cut_off_ = false;
    std::size_t fail_reasons_ = 0;
    std::optional<NonceUse> next_use_;
    Duration poll_delay_{};
    Duration block_delay_{};
    std::vector<Poll> polls_;
    std::size_t polling_ = 0;
    std::size_t most_polling_ = 0;
    std::size_t block_calls_ = 0;
    std::size_t balance_calls_ = 0;
    std::size_t estimates_ = 0;
};

}  // namespace fencepost::scenario
