// A test chain that grows and forks on demand and answers as a node would: all blocks are known by hash, the canonical
// ones by number.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "evm/json_values.hpp"
#include "evm/test_rpc.hpp"

namespace fencepost::evm::test {

class TestChain {
public:
    /// Blocks 0 … head.
    explicit TestChain(std::uint64_t head) { extend(head + 1); }

    void extend(std::uint64_t blocks) {
        for (std::uint64_t i = 0; i < blocks; ++i)
            append();
    }

    /// Removes the last `depth` blocks and appends `length` new ones.
    void reorg(std::uint64_t depth, std::uint64_t length) {
        FP_ASSERT(depth < blocks_.size());
        blocks_.resize(blocks_.size() - depth);
        extend(length);
    }

    [[nodiscard]] const BlockRef& head() const { return blocks_.back(); }
    [[nodiscard]] const BlockRef& at(std::uint64_t number) const { return blocks_.at(number); }
    [[nodiscard]] std::vector<BlockRef> range(std::uint64_t first, std::uint64_t last) const {
        return {blocks_.begin() + static_cast<std::ptrdiff_t>(first),
                blocks_.begin() + static_cast<std::ptrdiff_t>(last) + 1};
    }

    [[nodiscard]] Answer operator()(const Request& request) const {
        if (request.method == "eth_getBlockByHash") {
            const auto found = known_.find(read_block_hash(request.params.at(0), "hash").value());
            return found == known_.end() ? Json{} : to_json(found->second);
        }
        if (request.method == "eth_getBlockByNumber")
            return by_number(std::string_view(request.params.at(0).as_string()));
        return err(no_method());
    }

    /// How many blocks the node is behind.
    std::uint64_t lag = 0;
    std::optional<std::uint64_t> finalized{};
    std::optional<std::uint64_t> safe{};
    bool offers_tags = true;

private:
    void append() {
        BlockRef block;
        block.number = BlockNumber(blocks_.size());
        ++made_;
        for (std::size_t i = 0; i < sizeof made_; ++i)
            block.hash.data[i] = static_cast<std::uint8_t>(made_ >> (8 * i));
        if (!blocks_.empty()) block.parent = blocks_.back().hash;
        blocks_.push_back(block);
        known_[block.hash] = block;
    }

    [[nodiscard]] Answer by_number(std::string_view name) const {
        if (name == "latest") return numbered(head().number.value() - lag);
        if (name == "finalized" || name == "safe") {
            if (!offers_tags) return err(node_error(-32602, "invalid block number"));
            const auto tag = name == "safe" ? safe : finalized;
            return tag ? numbered(*tag) : Json{};
        }
        return numbered(Uint256::parse(name).value().to_uint64().value());
    }

    [[nodiscard]] Answer numbered(std::uint64_t number) const {
        return number + lag >= blocks_.size() ? Json{} : to_json(blocks_[number]);
    }

    static Json to_json(const BlockRef& block) {
        TxHash transaction;
        transaction.data = block.hash.data;
        return boost::json::object{{"number", write_number(block.number)},
                                   {"hash", write_data(block.hash.view())},
                                   {"parentHash", write_data(block.parent.view())},
                                   {"timestamp", write_number(block.number)},
                                   {"transactions", boost::json::array{write_data(transaction.view())}}};
    }

    std::vector<BlockRef> blocks_;
    std::map<BlockHash, BlockRef> known_;
    std::uint64_t made_ = 0;
};

}  // namespace fencepost::evm::test
