// A chain on which one submitter has sent many transactions, evenly spread over blocks, none finalized. It answers
// every call with a delay and records what it is asked and sent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/async/wakeup.hpp"
#include "ports/clock.hpp"
#include "ports/test_chain.hpp"

namespace fencepost::race {

struct SettledChainOptions {
    std::uint64_t settled = 0;
    std::uint64_t per_block = 16;
    Duration latency{};
};

class SettledChain final : public fencepost::test::StubChain {
public:
    using Receipts = std::vector<RpcResult<std::optional<Receipt>>>;

    SettledChain(const Executor& executor, Clock& clock, SettledChainOptions options)
        : clock_(clock),
          options_(options),
          bell_(executor) {
        HeadEvent event{.safe = BlockNumber(genesis), .finalized = BlockNumber(genesis)};
        for (auto number = genesis; number <= head(); ++number)
            add(event, ref_at(number, 0));
        events_.push_back(std::move(event));
    }

    static constexpr std::uint64_t genesis = 1'000;

    [[nodiscard]] std::uint64_t blocks() const { return options_.settled / options_.per_block; }
    [[nodiscard]] std::uint64_t head() const { return genesis + blocks(); }
    /// The last byte identifies the fork.
    [[nodiscard]] static BlockHash hash_at(std::uint64_t number, std::uint8_t fork) {
        BlockHash hash;
        for (std::size_t i = 0; i < 8; ++i)
            hash.data[30 - i] = static_cast<std::uint8_t>(number >> (8 * i));
        hash.data[31] = fork;
        return hash;
    }
    [[nodiscard]] static BlockRef ref_at(std::uint64_t number, std::uint8_t fork) {
        return {BlockNumber(number), hash_at(number, fork), hash_at(number - 1, 0)};
    }

    /// Replaces the head with another block, without our transactions.
    void replace_head() {
        HeadEvent event{.safe = BlockNumber(genesis), .finalized = BlockNumber(genesis)};
        event.change.common_ancestor = ref_at(head() - 1, 0);
        event.change.removed.push_back(ref_at(head(), 0));
        add(event, ref_at(head(), 1));
        count_ -= options_.per_block;
        events_.push_back(std::move(event));
        bell_.notify();
    }

    struct Sent {
        Bytes raw;
        Instant at;
        /// How often the account's counts had been requested.
        std::size_t counts_asked = 0;
    };
    [[nodiscard]] const std::vector<Sent>& sent() const { return sent_; }
    [[nodiscard]] const Sent* find_sent(const Bytes& raw) const {
        const auto found = std::ranges::find(sent_, raw, &Sent::raw);
        return found == sent_.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool knows_head() const { return streams_told_ > 0; }

    [[nodiscard]] std::unique_ptr<HeadStream> heads() override { return std::make_unique<Stream>(*this); }
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch) override {
        std::vector<SendReport> reports;
        for (const auto& [nonce, raw] : batch.items) {
            sent_.push_back({raw, clock_.monotonic(), counts_asked_});
            reports.push_back({{{"one", SendOutcome::accepted}}});
        }
        co_await answer();
        co_return reports;
    }
    [[nodiscard]] Task<Receipts> receipts_in(BlockRef, std::vector<TxHash> hashes) override { return none_of(hashes); }
    [[nodiscard]] Task<Receipts> receipts(std::vector<TxHash> hashes, Evidence) override { return none_of(hashes); }
    [[nodiscard]] Task<RpcResult<Nonce>> transaction_count(SubmitterId, At at) override {
        co_await answer();
        co_return at == At::latest ? Nonce(count_ + options_.settled) : Nonce{};
    }
    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId) override {
        co_await answer();
        ++counts_asked_;
        const Nonce latest(count_ + options_.settled);
        co_return AccountCounts{.latest = latest, .pending = latest, .answered = 1, .endpoints = 1};
    }
    [[nodiscard]] Task<RpcResult<Wei>> balance(SubmitterId, At) override {
        co_await answer();
        co_return Wei(Uint256(UINT64_MAX) * Uint256(UINT64_MAX));
    }
    [[nodiscard]] Task<RpcResult<Fees>> fees(Speed) override {
        co_await answer();
        co_return DynamicFee{Wei(Uint256(2'000'000'000)), Wei(Uint256(1'000'000'000))};
    }
    [[nodiscard]] Task<RpcResult<NonceUse>> find_nonce_use(SubmitterId, Nonce) override {
        co_await answer();
        co_return NonceUse{};
    }

    [[nodiscard]] Task<RpcResult<std::vector<PoolView>>> query_pools(SubmitterId, std::vector<PoolQuery>) override {
        co_return std::vector<PoolView>{};
    }
    [[nodiscard]] Task<RpcResult<bool>> is_delegated(SubmitterId) override { co_return false; }

private:
    class Stream final : public HeadStream {
    public:
        explicit Stream(SettledChain& chain) : chain_(chain) {}
        [[nodiscard]] Task<HeadEvent> next() override {
            while (told_ == chain_.events_.size())
                co_await chain_.bell_.wait();
            ++chain_.streams_told_;
            co_return chain_.events_[told_++];
        }

    private:
        SettledChain& chain_;
        std::size_t told_ = 0;
    };

    [[nodiscard]] Task<void> answer() { return clock_.sleep_for(options_.latency); }
    [[nodiscard]] Task<Receipts> none_of(std::vector<TxHash> hashes) {
        co_await answer();
        co_return Receipts(hashes.size(), std::optional<Receipt>{});
    }
    static void add(HeadEvent& event, const BlockRef& ref) {
        event.change.added.push_back(ref);
        event.blocks.push_back(
            std::make_shared<const Block>(Block{.ref = ref, .time = {}, .base_fee = {}, .transactions = {}}));
    }

    Clock& clock_;
    SettledChainOptions options_;
    Wakeup bell_;
    std::deque<HeadEvent> events_;
    std::size_t streams_told_ = 0;
    std::uint64_t count_ = 0;  // beyond the settled ones; below zero by wrapping
    std::size_t counts_asked_ = 0;
    std::vector<Sent> sent_;
};

}  // namespace fencepost::race
