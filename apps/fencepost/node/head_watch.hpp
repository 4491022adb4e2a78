// Tracks the head of a chain for display only; no decision depends on it.
#pragma once

#include <optional>

#include "base/async/task.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"

namespace fencepost::node {

class HeadWatch {
public:
    HeadWatch(Chain& chain, Clock& clock) : chain_(chain), clock_(clock) {}

    /// Follows the head until it is cancelled.
    [[nodiscard]] Task<void> run();

    struct Heard {
        BlockRef block;
        std::optional<Wei> base_fee{};
        Duration age{};
    };
    /// None before the first block.
    [[nodiscard]] std::optional<Heard> head() const;

private:
    Chain& chain_;
    Clock& clock_;
    std::shared_ptr<const Block> latest_;
    Instant heard_at_{};
};

}  // namespace fencepost::node
