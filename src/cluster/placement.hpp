// Who should own a submitter: rendezvous hashing over the live nodes. Every node computes the same without asking, and
// when one joins or leaves, only the submitters that it gets or had move. The lease says who does own it; a wrong guess
// here costs latency, never correctness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::cluster {

class Placement {
public:
    Placement() = default;
    /// In any order, each once.
    explicit Placement(std::vector<NodeId> nodes);

    /// The nodes in the order in which they should take this submitter.
    [[nodiscard]] std::vector<NodeId> ranked(const SubmitterId& submitter) const;
    /// None without nodes.
    [[nodiscard]] std::optional<NodeId> first(const SubmitterId& submitter) const;

private:
    struct Node {
        NodeId id;
        std::uint64_t hash = 0;
    };
    struct Weight {
        std::uint64_t weight = 0;
        const Node* node = nullptr;
    };
    [[nodiscard]] std::vector<Weight> weights(const SubmitterId& submitter) const;
    [[nodiscard]] static bool comes_before(const Weight& a, const Weight& b);

    std::vector<Node> nodes_;
};

}  // namespace fencepost::cluster
