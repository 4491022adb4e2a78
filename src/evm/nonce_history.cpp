// Exponential search, bisection and scan for the consumer of a nonce.
#include "evm/nonce_history.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

Request count_at(const Address& account, const Json& block) {
    return {"eth_getTransactionCount", {account.to_lower(), block}};
}

Request whole_block(BlockNumber number) { return {"eth_getBlockByNumber", {write_number(number), true}}; }

// Messages for missing old state: geth, Erigon, Nethermind, Besu, reth, anvil and providers.
bool has_no_state(const jsonrpc::Error& error) {
    static constexpr std::array<std::string_view, 12> words{"missing trie node",
                                                            "historical state",
                                                            "state not available",
                                                            "state is not available",
                                                            "header not found",
                                                            "pruned",
                                                            "world state unavailable",
                                                            "no state available",
                                                            "state histories",
                                                            "archive",
                                                            "proof window",
                                                            "old data not available"};
    const auto* answer = std::get_if<jsonrpc::ErrorAnswer>(&error);
    if (answer == nullptr) return false;
    const auto message = lower_case(answer->message);
    return std::ranges::any_of(words, [&](auto word) { return message.find(word) != std::string::npos; });
}

RpcError moved() {
    return {RpcError::Kind::no_evidence, "the chain changed during the search for the transaction that used the nonce"};
}

NonceUse used_by(const SeenTransaction& transaction) { return {true, transaction.hash, transaction.where}; }

}  // namespace

Task<RpcResult<NonceUse>> NonceHistory::find_nonce_use(Address account, Nonce nonce) {
    const auto head = co_await consumed_by(account, nonce);
    if (!head) co_return err(head.error());
    if (!*head) co_return NonceUse{};
    const Query query{account, nonce, **head};
    auto bounds = co_await exponential_search(query);
    if (bounds && bounds->low) bounds = co_await bisect(query, *bounds);
    if (!bounds) co_return err(bounds.error());
    if (bounds->low) co_return co_await identify_in(query, bounds->high);
    co_return co_await scan(query, bounds->high);
}

// The highest head of an endpoint where the nonce is consumed; empty when there is none.
Task<RpcResult<std::optional<BlockNumber>>> NonceHistory::consumed_by(Address account, Nonce nonce) {
    // The head first: by the time of the count there may be one more block, never one less.
    std::vector<Request> batch{{"eth_blockNumber", {}}, count_at(account, write_tag(At::latest))};
    const auto all = co_await rpc_.read_all(std::move(batch));
    RpcError error{RpcError::Kind::unreachable, "no endpoint answered"};
    bool answered = false;
    std::optional<BlockNumber> consumed;
    for (const auto& answers : all) {
        FP_ASSERT(answers.size() == 2);
        const auto head = read_answer(answers[0], read_uint64, "blockNumber");
        const auto count = read_answer(answers[1], read_uint64, "transactionCount");
        if (!head || !count) {
            error = head ? count.error() : head.error();
            continue;
        }
        answered = true;
        if (*count > nonce.value()) consumed = std::max(consumed, std::optional(BlockNumber(*head)));
    }
    if (!answered) co_return err(error);
    co_return consumed;
}

Task<RpcResult<std::vector<NonceHistory::PastAt>>> NonceHistory::past_at(Query query, std::vector<BlockNumber> blocks) {
    std::vector<Request> batch;
    batch.reserve(blocks.size());
    for (const auto block : blocks)
        batch.push_back(count_at(query.account, write_number(block)));
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{query.head, 1});
    FP_ASSERT(answers.size() == blocks.size());
    std::vector<PastAt> past;
    for (const auto& answer : answers) {
        // Besu answers null.
        if ((answer && answer->is_null()) || (!answer && has_no_state(answer.error()))) {
            past.emplace_back();
            continue;
        }
        const auto count = read_answer(answer, read_uint64, "transactionCount");
        if (!count) co_return err(count.error());
        past.emplace_back(*count > query.nonce.value());
    }
    co_return past;
}

// Backwards from the head in doubling steps: the transaction is usually recent, and only recent state is kept.
Task<RpcResult<NonceHistory::Bounds>> NonceHistory::exponential_search(Query query) {
    std::vector<BlockNumber> blocks{query.head};
    for (std::uint64_t step = 1; step < query.head.value(); step *= 2)
        blocks.emplace_back(query.head.value() - step);
    if (query.head.value() > 0) blocks.emplace_back(0);
    const auto past = co_await past_at(query, blocks);
    if (!past) co_return err(past.error());
    if (past->front() == false) co_return err(moved());
    Bounds bounds{std::nullopt, query.head};
    for (std::size_t i = 0; i < blocks.size() && (*past)[i] && !bounds.low; ++i) {
        const bool is_past = *(*past)[i];
        if (is_past) bounds.high = blocks[i];
        if (!is_past) bounds.low = blocks[i];
    }
    co_return bounds;
}

Task<RpcResult<NonceHistory::Bounds>> NonceHistory::bisect(Query query, Bounds bounds) {
    while (bounds.low && bounds.high.above(*bounds.low) > 1) {
        const auto gap = bounds.high.above(*bounds.low);
        const auto parts = std::min<std::uint64_t>(options_.bisect_batch + 1, gap);
        std::vector<BlockNumber> blocks;
        for (std::uint64_t i = 1; i < parts; ++i)
            blocks.push_back(bounds.low->plus(gap * i / parts));
        const auto past = co_await past_at(query, blocks);
        if (!past) co_return err(past.error());
        if (std::ranges::find(*past, PastAt{}) != past->end()) co_return Bounds{std::nullopt, bounds.high};
        const auto first = std::ranges::find(*past, PastAt{true}) - past->begin();
        const auto index = static_cast<std::size_t>(first);
        if (index > 0) bounds.low = blocks[index - 1];
        if (index < blocks.size()) bounds.high = blocks[index];
    }
    co_return bounds;
}

// The block and both counts in one view, because the search took several.
Task<RpcResult<NonceUse>> NonceHistory::identify_in(Query query, BlockNumber block) {
    std::vector<Request> batch{count_at(query.account, write_number(BlockNumber(block.value() - 1))),
                               count_at(query.account, write_number(block)), whole_block(block)};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{query.head, 1});
    FP_ASSERT(answers.size() == 3);
    const auto before = read_answer(answers[0], read_uint64, "transactionCount");
    const auto after = read_answer(answers[1], read_uint64, "transactionCount");
    const auto transactions = read_answer(answers[2], read_block_transactions);
    if (!before) co_return err(before.error());
    if (!after) co_return err(after.error());
    if (!transactions) co_return err(transactions.error());
    if (!*transactions || *before > query.nonce.value() || *after <= query.nonce.value()) co_return err(moved());
    for (const auto& transaction : **transactions) {
        if (transaction.from == query.account && transaction.nonce == query.nonce) co_return used_by(transaction);
    }
    const auto hash = read_block_hash(field_of(*answers[2], "hash"), "block.hash");
    if (!hash) co_return err(malformed(hash.error()));
    co_return NonceUse{true, std::nullopt, TxLocation{block, *hash}};
}

Task<RpcResult<NonceUse>> NonceHistory::scan(Query query, BlockNumber from) {
    const auto blocks = std::min<std::uint64_t>(options_.scan_blocks, from.value() + 1);
    for (std::uint64_t done = 0; done < blocks;) {
        std::vector<Request> batch;
        for (; batch.size() < options_.scan_batch && done < blocks; ++done)
            batch.push_back(whole_block(BlockNumber(from.value() - done)));
        const auto answers = co_await rpc_.read(std::move(batch), Evidence{query.head, 1});
        for (const auto& answer : answers) {
            const auto transactions = read_answer(answer, read_block_transactions);
            if (!transactions) co_return err(transactions.error());
            if (!*transactions) co_return NonceUse{true};  // old blocks are missing as well
            for (const auto& transaction : **transactions) {
                if (transaction.from != query.account) continue;
                if (transaction.nonce == query.nonce) co_return used_by(transaction);
            }
            const bool older = std::ranges::any_of(**transactions, [&](const auto& transaction) {
                return transaction.from == query.account && transaction.nonce < query.nonce;
            });
            if (older) co_return NonceUse{true};  // an older nonce: no transaction of this account used it
        }
    }
    co_return NonceUse{true};
}

}  // namespace fencepost::evm
