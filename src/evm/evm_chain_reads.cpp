// EvmChain's reads of receipts, blocks, counts and balances.
#include <algorithm>
#include <array>
#include <map>
#include <span>

#include <boost/json/array.hpp>

#include "evm/errors/rpc_errors.hpp"
#include "evm/evm_chain.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {
namespace {

RpcError wrong(std::string what) { return {RpcError::Kind::malformed, std::move(what)}; }

RpcResult<std::optional<Receipt>> receipt_from(const Answer& answer, const TxHash& asked) {
    auto receipt = read_answer(answer, read_receipt);
    if (receipt && *receipt && (*receipt)->hash != asked)
        return err(wrong("the receipt belongs to another transaction"));
    return receipt;
}

// In the order of the hashes; empty unless all of them are found.
std::optional<std::vector<RpcResult<std::optional<Receipt>>>> pick(const Json& all, const std::vector<TxHash>& hashes) {
    if (!all.is_array()) return std::nullopt;
    std::map<TxHash, Receipt> by_hash;
    for (const auto& json : all.get_array()) {
        const auto receipt = read_receipt(json);
        if (receipt && *receipt) by_hash.emplace((*receipt)->hash, **receipt);
    }
    std::vector<RpcResult<std::optional<Receipt>>> result;
    for (const auto& hash : hashes) {
        const auto found = by_hash.find(hash);
        if (found == by_hash.end()) return std::nullopt;
        result.emplace_back(found->second);
    }
    return result;
}

}  // namespace

Task<std::vector<RpcResult<std::optional<Receipt>>>> EvmChain::receipts(std::vector<TxHash> hashes, Evidence evidence) {
    std::vector<Request> batch;
    batch.reserve(hashes.size());
    for (const auto& hash : hashes)
        batch.push_back({"eth_getTransactionReceipt", {write_data(hash.view())}});
    const auto answers = co_await pool_.read(std::move(batch), evidence);
    Receipts result;
    result.reserve(hashes.size());
    for (std::size_t i = 0; i < hashes.size(); ++i)
        result.push_back(receipt_from(answers[i], hashes[i]));
    co_return result;
}

Task<std::vector<RpcResult<std::optional<Receipt>>>> EvmChain::receipts_in(BlockRef block, std::vector<TxHash> hashes) {
    if (auto all = co_await receipts_of_whole_block(block, hashes)) co_return std::move(*all);
    co_return co_await receipts(std::move(hashes), {.at_least = block.number});
}

Task<std::optional<EvmChain::Receipts>> EvmChain::receipts_of_whole_block(BlockRef block, std::vector<TxHash> hashes) {
    static constexpr std::string_view whole_block = "eth_getBlockReceipts";
    if (hashes.size() < options_.many_receipts || !pool_.offers(whole_block)) co_return std::nullopt;
    const auto hash = write_data(block.hash.view());
    // Nodes spend the same time on each receipt, so all of a block's pay off only when most of them are needed.
    std::vector<Request> how_many{{"eth_getBlockTransactionCountByHash", {hash}}};
    const auto counted = co_await pool_.read(std::move(how_many), {.at_least = block.number});
    const auto count = read_answer(counted.front(), read_uint64, "transaction count");
    if (!count || hashes.size() < *count / 2) co_return std::nullopt;
    std::vector<Request> all{{std::string(whole_block), {hash}}};
    const auto answers = co_await pool_.read(std::move(all), {.at_least = block.number});
    if (!answers.front()) co_return std::nullopt;
    co_return pick(*answers.front(), hashes);
}

Task<RpcResult<std::optional<Block>>> EvmChain::block(BlockNumber number, Evidence evidence) {
    Request request{"eth_getBlockByNumber", {write_number(number), false}};
    auto block = co_await block_of(std::move(request), evidence);
    if (block && *block && (*block)->ref.number != number) co_return err(wrong("the block has another height"));
    co_return block;
}

Task<RpcResult<std::optional<Block>>> EvmChain::block(BlockHash hash) {
    Request request{"eth_getBlockByHash", {write_data(hash.view()), false}};
    auto block = co_await block_of(std::move(request), {});
    if (block && *block && (*block)->ref.hash != hash) co_return err(wrong("the block has another hash"));
    co_return block;
}

Task<RpcResult<std::optional<Block>>> EvmChain::block_of(Request request, Evidence evidence) {
    std::vector<Request> batch{std::move(request)};
    const auto answers = co_await pool_.read(std::move(batch), evidence);
    co_return read_answer(answers.front(), read_block);
}

Task<RpcResult<Nonce>> EvmChain::transaction_count(SubmitterId submitter, At at) {
    std::vector<Request> batch{{"eth_blockNumber", {}},
                               {"eth_getTransactionCount", {account_of(submitter).to_lower(), write_tag(at)}}};
    const auto least = at_least_reported_head().at_least;
    RpcResult<Nonce> highest = err(RpcError{RpcError::Kind::no_evidence, "no endpoint has reached the head"});
    for (const auto& answers : co_await pool_.read_all(std::move(batch))) {
        const auto height = read_answer(answers.front(), read_uint64, "block number");
        if (!height || BlockNumber(*height) < least) continue;
        const auto count = read_answer(answers.back(), read_uint64, "transaction count");
        if (count) {
            highest = std::max(highest.value_or(Nonce{}), Nonce(*count));
        } else if (!highest) {
            highest = err(count.error());
        }
    }
    co_return highest;
}

Task<RpcResult<AccountCounts>> EvmChain::counts(SubmitterId submitter) {
    const auto account = account_of(submitter).to_lower();
    std::vector<Request> batch{{"eth_blockNumber", {}},
                               {"eth_getTransactionCount", {account, write_tag(At::latest)}},
                               {"eth_getTransactionCount", {account, write_tag(At::pending)}}};
    const auto least = at_least_reported_head().at_least;
    AccountCounts counts{.endpoints = pool_.status().size()};
    RpcError error{RpcError::Kind::no_evidence, "no endpoint has reached the head"};
    for (const auto& answers : co_await pool_.read_all(std::move(batch))) {
        const auto height = read_answer(answers[0], read_uint64, "block number");
        if (!height || BlockNumber(*height) < least) continue;
        const auto latest = read_answer(answers[1], read_uint64, "transaction count");
        const auto pending = read_answer(answers[2], read_uint64, "transaction count");
        if (!latest || !pending) {
            error = latest ? pending.error() : latest.error();
            continue;
        }
        ++counts.answered;
        counts.latest = std::max(counts.latest, Nonce(*latest));
        counts.pending = std::max({counts.pending, counts.latest, Nonce(*pending)});
    }
    if (counts.answered == 0) co_return err(error);
    co_return counts;
}

// Decisions about an intent need a view at least as new as the head that lanes know. An endpoint one block behind would
// report a certain failure for a call whose predecessor has just been mined (failure 31).
Evidence EvmChain::at_least_reported_head() const {
    const auto* head = follower_.chain().head();
    return {.at_least = head == nullptr ? BlockNumber{} : head->number};
}

Task<RpcResult<bool>> EvmChain::is_delegated(SubmitterId submitter) {
    // EIP-7702: a delegated account's code is this prefix and the address of the code it executes.
    static constexpr std::array<std::uint8_t, 3> designator{0xef, 0x01, 0x00};
    std::vector<Request> batch{{"eth_getCode", {account_of(submitter).to_lower(), write_tag(At::latest)}}};
    const auto answers = co_await pool_.read(std::move(batch), at_least_reported_head());
    const auto code = read_answer(answers.front(), read_data, "code");
    if (!code) co_return err(code.error());
    co_return code->size() >= designator.size() && std::ranges::equal(designator, std::span(*code).first(3));
}

Task<RpcResult<Wei>> EvmChain::balance(SubmitterId submitter, At at) {
    std::vector<Request> batch{{"eth_getBalance", {account_of(submitter).to_lower(), write_tag(at)}}};
    const auto answers = co_await pool_.read(std::move(batch), at_least_reported_head());
    const auto balance = read_answer(answers.front(), read_quantity, "balance");
    if (!balance) co_return err(balance.error());
    co_return Wei(*balance);
}

}  // namespace fencepost::evm
