// Fetches missing ancestors by number, then by hash.
#include "evm/heads/ancestors.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

bool is_parent(const Block& parent, const BlockRef& child) {
    return parent.ref.hash == child.parent && parent.ref.number.value() + 1 == child.number.value();
}

}  // namespace

Task<RpcResult<Blocks>> Ancestors::below(BlockRef top, BlockNumber lowest) {
    Blocks descending;
    while (top.number > lowest) {
        auto step = co_await step_by_number(top, lowest);
        if (step && step->empty()) step = co_await step_by_hash(top);
        if (!step) co_return err(step.error());
        top = step->back()->ref;
        descending.insert(descending.end(), std::make_move_iterator(step->begin()),
                          std::make_move_iterator(step->end()));
    }
    std::ranges::reverse(descending);
    co_return descending;
}

// The blocks that link, descending; none when the numbers lead to another branch.
Task<RpcResult<Blocks>> Ancestors::step_by_number(BlockRef top, BlockNumber lowest) {
    const auto count = std::min<std::uint64_t>(batch_, top.number.above(lowest));
    std::vector<Request> batch;
    for (std::uint64_t i = 1; i <= count; ++i) {
        batch.push_back({"eth_getBlockByNumber", {write_number(BlockNumber(top.number.value() - i)), false}});
    }
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{});
    FP_ASSERT(answers.size() == count, "{} answers to {} requests", answers.size(), count);
    Blocks linked;
    for (const auto& answer : answers) {
        auto block = read_answer(answer, read_block);
        if (!block && linked.empty()) co_return err(block.error());
        if (!block || !*block || !is_parent(**block, top)) break;
        top = (*block)->ref;
        linked.push_back(std::make_shared<const Block>(std::move(**block)));
    }
    co_return linked;
}

Task<RpcResult<Blocks>> Ancestors::step_by_hash(BlockRef top) {
    std::vector<Request> batch{{"eth_getBlockByHash", {write_data(top.parent.view()), false}}};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{});
    FP_ASSERT(answers.size() == 1);
    auto block = read_answer(answers.front(), read_block);
    if (!block) co_return err(block.error());
    if (!*block || !is_parent(**block, top)) {
        co_return err(
            RpcError{RpcError::Kind::no_evidence, fmt::format("no endpoint has the parent of block {}", top.number)});
    }
    co_return Blocks{std::make_shared<const Block>(std::move(**block))};
}

}  // namespace fencepost::evm
