// Placement of submitters: rendezvous hashing over the live nodes. Every node computes the same result independently,
// and when a node joins or leaves, only its own submitters move. The lease decides which node does own a submitter; a
// wrong guess here costs latency, never correctness.
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

    /// The nodes in their order of preference for this submitter.
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
