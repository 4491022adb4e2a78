// A stub chain and a stub store with almost no cost, so that a benchmark measures the lane between them. The chain
// mines everything that was sent once per second; the store has an endless queue, applies every write and keeps only
// the cursor.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "domain/chain/test_blocks.hpp"
#include "ports/clock.hpp"
#include "ports/signer.hpp"
#include "ports/store/commands.hpp"
#include "ports/store/headers.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/leases.hpp"
#include "ports/test_chain.hpp"

namespace fencepost::bench {

/// The state that the lane finds when it opens: this many settled transactions, `per_block` in each unfinalized block.
struct Backlog {
    std::uint64_t settled = 0;
    std::uint64_t per_block = 1;

    [[nodiscard]] std::uint64_t blocks() const { return (settled + per_block - 1) / per_block; }
};

/// The hash of the transaction at this nonce, which can be read back from it.
inline TxHash hash_at(std::uint64_t nonce) {
    TxHash hash;
    // Spread over the first bytes, like a real hash.
    const auto spread = nonce * 0x9E3779B97F4A7C15U;
    std::memcpy(hash.data.data(), &spread, sizeof spread);
    std::memcpy(hash.data.data() + 16, &nonce, sizeof nonce);
    return hash;
}

inline TxId id_at(std::uint64_t nonce) {
    Uuid id;
    for (std::size_t i = 0; i < 8; ++i)
        id.data.at(15 - i) = static_cast<std::uint8_t>(nonce >> (8 * i));
    return TxId(id);
}

/// The newest `finality` blocks are unfinalized.
class BenchChain final : public fencepost::test::StubChain {
public:
    using Receipts = std::vector<RpcResult<std::optional<Receipt>>>;

    BenchChain(Clock& clock, Backlog backlog)
        : clock_(clock),
          backlog_(backlog),
          finality_(backlog.blocks()),
          head_(genesis + finality_),
          count_(backlog.settled) {}

    static constexpr std::uint64_t genesis = 1'000;

    /// Blocks are empty from now on: sent transactions stay pending.
    void stop_mining() { mining_ = false; }

    [[nodiscard]] static BlockRef ref_at(std::uint64_t number) { return test::block(number, 'a', 'a'); }
    /// The block that contains the settled transaction at this nonce.
    [[nodiscard]] std::uint64_t block_of(std::uint64_t nonce) const {
        return genesis + 1 + (nonce / backlog_.per_block);
    }

    [[nodiscard]] std::unique_ptr<HeadStream> heads() override { return std::make_unique<Stream>(*this); }
    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch) override {
        std::vector<SendReport> reports;
        reports.reserve(batch.items.size());
        for (const auto& [nonce, raw] : batch.items) {
            TxHash hash;
            std::memcpy(hash.data.data(), raw.data(), hash.data.size());
            pool_.push_back(hash);
            reports.push_back({{{"one", SendOutcome::accepted}}});
        }
        co_return reports;
    }
    [[nodiscard]] Task<Receipts> receipts_in(BlockRef block, std::vector<TxHash> hashes) override {
        Receipts answers;
        answers.reserve(hashes.size());
        for (const auto& hash : hashes)
            answers.push_back(receipt(hash, block));
        co_return answers;
    }
    [[nodiscard]] static Receipt receipt(const TxHash& hash, const BlockRef& block) {
        return {.hash = hash,
                .block_number = block.number,
                .block_hash = block.hash,
                .succeeded = true,
                .gas_used = Gas(21'000),
                .effective_gas_price = Wei(Uint256(1'000'000'000)),
                .contract = {}};
    }
    [[nodiscard]] Task<RpcResult<Nonce>> transaction_count(SubmitterId, At) override { co_return Nonce(count_); }
    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId) override {
        co_return AccountCounts{
            .latest = Nonce(count_), .pending = Nonce(count_ + pool_.size()), .answered = 1, .endpoints = 1};
    }
    [[nodiscard]] Task<RpcResult<Wei>> balance(SubmitterId, At) override {
        co_return Wei(Uint256(1) * Uint256(UINT64_MAX) * Uint256(UINT64_MAX));
    }
    [[nodiscard]] Task<RpcResult<Fees>> fees(Speed) override {
        co_return DynamicFee{Wei(Uint256(2'000'000'000)), Wei(Uint256(1'000'000'000))};
    }

    [[nodiscard]] Task<RpcResult<std::vector<PoolView>>> query_pools(SubmitterId, std::vector<PoolQuery>) override {
        co_return std::vector<PoolView>{};
    }
    [[nodiscard]] Task<RpcResult<bool>> is_delegated(SubmitterId) override { co_return false; }

private:
    class Stream final : public HeadStream {
    public:
        explicit Stream(BenchChain& chain) : chain_(chain) {}
        [[nodiscard]] Task<HeadEvent> next() override {
            if (std::exchange(is_first_, false)) co_return chain_.all_unfinalized();
            co_await chain_.clock_.sleep_for(std::chrono::seconds(1));
            co_return chain_.mine();
        }

    private:
        BenchChain& chain_;
        bool is_first_ = true;
    };

    void add_block(HeadEvent& event, std::uint64_t number, std::vector<TxHash> transactions) const {
        event.change.added.push_back(ref_at(number));
        event.blocks.push_back(std::make_shared<const Block>(
            Block{.ref = ref_at(number), .time = {}, .base_fee = {}, .transactions = std::move(transactions)}));
        event.safe = event.finalized = BlockNumber(number - finality_);
    }
    [[nodiscard]] HeadEvent all_unfinalized() const {
        HeadEvent event;
        for (auto number = genesis; number <= head_; ++number)
            add_block(event, number, {});
        return event;
    }
    [[nodiscard]] HeadEvent mine() {
        HeadEvent event;
        event.change.common_ancestor = ref_at(head_);
        auto mined = mining_ ? std::exchange(pool_, {}) : std::vector<TxHash>{};
        count_ += mined.size();
        add_block(event, ++head_, std::move(mined));
        return event;
    }

    Clock& clock_;
    Backlog backlog_;
    std::uint64_t finality_;
    std::uint64_t head_;
    std::uint64_t count_;
    std::vector<TxHash> pool_;
    bool mining_ = true;
};

class BenchStore final : public Leases, public LaneStore, public Commands, public Headers, public Signer {
public:
    BenchStore(const BenchChain& chain, Backlog backlog)
        : chain_(chain),
          backlog_(backlog),
          assigned_(backlog.settled) {}

    /// Limits the number of queued intents.
    void limit_queue(std::uint64_t count) { end_of_queue_ = assigned_ + count; }
    [[nodiscard]] std::uint64_t allocated() const { return assigned_ - backlog_.settled; }
    /// Transactions with a verdict since the lane was opened.
    [[nodiscard]] std::uint64_t settled() const { return settled_; }

    Task<Result<OpenAnswer, StoreError>> open(SubmitterId, NodeId node, Duration) override {
        co_return OpenAnswer{LeaseResult::inserted, Fence{node, FenceToken(1)}};
    }
    Task<Result<std::vector<LeaseResult>, StoreError>> renew(std::vector<LeaseClaim> claims, Duration) override {
        co_return std::vector(claims.size(), LeaseResult::renewed);
    }
    Task<Status<StoreError>> release(std::vector<LeaseClaim>) override { co_return Status<StoreError>{}; }

    Task<Result<LaneState, StoreError>> load(SubmitterId) override {
        LaneState state{.next_nonce = Nonce(backlog_.settled), .watch_from = Nonce{}};
        for (std::uint64_t first = 0; first < backlog_.settled; first += backlog_.per_block) {
            const auto block = BenchChain::ref_at(chain_.block_of(first));
            const auto last = std::min(first + backlog_.per_block, backlog_.settled) - 1;
            state.settled.push_back({block.number, block.hash, Nonce(first), Nonce(last)});
        }
        co_return state;
    }
    Task<Result<LaneState, StoreError>> load_block(SubmitterId, SettledBlock) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) override {
        for (const auto& write : batch) {
            for (const auto& update : write.transactions) {
                if (update.nonce) assigned_ = update.nonce->value() + 1;
                if (is_final(update.to.state) && !is_final(update.expected.state)) ++settled_;
            }
        }
        co_return std::vector(batch.size(), WriteAnswer::applied);
    }
    Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId, AcceptSequence from,
                                                                      std::size_t limit) override {
        std::vector<QueuedIntent> items;
        const auto first = std::max(from.value(), assigned_);
        items.reserve(limit);
        for (auto sequence = first; sequence < std::min(first + limit, end_of_queue_); ++sequence)
            items.push_back({.id = id_at(sequence), .sequence = AcceptSequence(sequence), .intent = transfer_});
        co_return items;
    }
    Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId, Duration) override {
        co_return std::vector<RecentAllocation>{};
    }
    Task<Result<CommandSequence, StoreError>> post(Command) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<Command>, StoreError>> pending(SubmitterId) override { co_return std::vector<Command>{}; }
    Task<Status<StoreError>> record(ChainRef, std::vector<BlockRef>) override { co_return Status<StoreError>{}; }
    Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef, BlockNumber, BlockNumber) override {
        co_return std::vector<BlockRef>{};
    }
    Task<Status<StoreError>> prune_below(ChainRef, BlockNumber) override { co_return Status<StoreError>{}; }

    [[nodiscard]] bool can_sign_for(const SubmitterId&) const override { return true; }
    /// The raw bytes have the length of a signed transfer.
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override {
        const auto hash = hash_at(transaction.nonce.value());
        Bytes raw(118);
        std::memcpy(raw.data(), hash.data.data(), hash.data.size());
        co_return SignedTransaction{hash, std::move(raw)};
    }

private:
    const BenchChain& chain_;
    Backlog backlog_;
    std::uint64_t assigned_;
    std::uint64_t settled_ = 0;
    std::uint64_t end_of_queue_ = UINT64_MAX;
    Intent transfer_{.to = "0x1000000000000000000000000000000000000001",
                     .value = Wei(Uint256(1)),
                     .data = {},
                     .gas_limit = Gas(21'000),
                     .fee = Speed::normal,
                     .valid_until = {}};
};

}  // namespace fencepost::bench
