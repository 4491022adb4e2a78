// Records every transition that a scenario of this program drove, for comparison with the transition table.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "ports/store/lane_store.hpp"

namespace fencepost::scenario {

using SeenMove = std::pair<Position, Position>;

inline std::set<SeenMove>& seen_moves() {
    static std::set<SeenMove> moves;
    return moves;
}

inline void record_moves(const std::vector<std::pair<LaneWrite, WriteAnswer>>& written) {
    for (const auto& [write, answer] : written) {
        if (answer != WriteAnswer::applied) continue;
        for (const auto& update : write.transactions) {
            const bool new_receipt = std::holds_alternative<Receipt>(update.receipt);
            if (update.expected != update.to || new_receipt) seen_moves().emplace(update.expected, update.to);
        }
    }
}

}  // namespace fencepost::scenario
