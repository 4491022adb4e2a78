// A scripted chain for unit tests: heads and receipts are set by the test.
#pragma once

#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/async/wakeup.hpp"
#include "domain/chain/test_blocks.hpp"
#include "ports/test_chain.hpp"

namespace fencepost::lane::test {

class ScriptedChain final : public fencepost::test::StubChain {
public:
    using Receipts = std::vector<RpcResult<std::optional<Receipt>>>;

    explicit ScriptedChain(const Executor& executor) : executor_(executor), wakeup_(executor) {}

    void tell(HeadEvent event) {
        events_.push_back(std::move(event));
        wakeup_.notify();
    }
    /// Sets whether receipt calls fail.
    void fail_receipts(bool fail) { fail_ = fail; }
    /// Receipt calls for this block throw, which violates the port's contract.
    void throw_at(BlockNumber number) { throws_at_ = number; }
    /// The head stream throws this once, which violates the port's contract.
    void throw_at_next_head(std::exception_ptr error) {
        thrown_head_ = std::move(error);
        wakeup_.notify();
    }
    /// Receipt calls for this block wait until the returned wakeup is notified.
    Wakeup& hold_back(BlockNumber number) { return held_back_.try_emplace(number, executor_).first->second; }

    std::vector<std::pair<BlockRef, std::vector<TxHash>>> asked;
    std::size_t streams = 0;

    [[nodiscard]] std::unique_ptr<HeadStream> heads() override {
        ++streams;
        return std::make_unique<Stream>(*this);
    }
    [[nodiscard]] Task<Receipts> receipts_in(BlockRef block, std::vector<TxHash> hashes) override {
        asked.emplace_back(block, hashes);
        if (throws_at_ == block.number) throw std::runtime_error("an injected error in the chain");
        if (const auto held = held_back_.find(block.number); held != held_back_.end()) co_await held->second.wait();
        Receipts answers;
        for (const auto& hash : hashes) {
            if (fail_) {
                answers.push_back(err(RpcError{RpcError::Kind::timed_out, ""}));
            } else {
                answers.push_back(Receipt{.hash = hash, .block_number = block.number, .block_hash = block.hash});
            }
        }
        co_return answers;
    }

private:
    class Stream final : public HeadStream {
    public:
        explicit Stream(ScriptedChain& chain) : chain_(chain) {}
        [[nodiscard]] Task<HeadEvent> next() override {
            while (chain_.events_.empty()) {
                if (const auto error = std::exchange(chain_.thrown_head_, nullptr)) std::rethrow_exception(error);
                co_await chain_.wakeup_.wait();
            }
            auto event = std::move(chain_.events_.front());
            chain_.events_.pop_front();
            co_return event;
        }

    private:
        ScriptedChain& chain_;
    };

    Executor executor_;
    Wakeup wakeup_;
    std::map<BlockNumber, Wakeup> held_back_;
    std::optional<BlockNumber> throws_at_;
    std::exception_ptr thrown_head_;
    std::deque<HeadEvent> events_;
    bool fail_ = false;
};

using fencepost::test::tx_hash;

/// These blocks are the new head; the first contains `transactions`.
inline HeadEvent head_event(const std::vector<BlockRef>& added, std::optional<BlockRef> ancestor,
                            std::vector<TxHash> transactions = {}) {
    HeadEvent event;
    event.change = {.common_ancestor = ancestor, .removed = {}, .added = added};
    for (const auto& ref : added) {
        event.blocks.push_back(std::make_shared<const Block>(
            Block{.ref = ref, .time = {}, .base_fee = {}, .transactions = std::exchange(transactions, {})}));
    }
    return event;
}

}  // namespace fencepost::lane::test
