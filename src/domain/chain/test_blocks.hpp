// Blocks for tests: a block is identified by its height and a letter for its fork, and both are encoded in its hash. A
// transaction hash repeats one byte.
#pragma once

#include <vector>

#include "domain/chain/block.hpp"

namespace fencepost::test {

inline BlockHash block_hash(std::uint64_t number, char fork) {
    BlockHash hash;
    for (std::size_t i = 0; i < 8; ++i)
        hash.data[i] = static_cast<std::uint8_t>(number >> (8 * i));
    hash.data[8] = static_cast<std::uint8_t>(fork);
    return hash;
}

inline BlockRef block(std::uint64_t number, char fork, char parent_fork) {
    return {BlockNumber(number), block_hash(number, fork), block_hash(number - 1, parent_fork)};
}

/// Blocks first … last of `fork`; the parent of the first is a block of `parent_fork`.
inline std::vector<BlockRef> branch(std::uint64_t first, std::uint64_t last, char fork, char parent_fork) {
    std::vector<BlockRef> blocks;
    for (auto n = first; n <= last; ++n)
        blocks.push_back(block(n, fork, n == first ? parent_fork : fork));
    return blocks;
}

inline TxHash tx_hash(std::uint8_t number) {
    TxHash hash;
    hash.data.fill(number);
    return hash;
}

}  // namespace fencepost::test
