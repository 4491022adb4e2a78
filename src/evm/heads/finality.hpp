// How far a chain is settled: by its tags `finalized` and `safe` where it supports them, by depth otherwise. Separate
// from the follower because its rules concern answers, not polling.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "evm/heads/head_streams.hpp"

namespace fencepost::evm {

/// What one poll returned for a tag.
struct ToldTag {
    enum class Kind {
        told,     // the block exists
        absent,   // the node answered null or an error
        unheard,  // no answer, which proves nothing
    };
    Kind kind = Kind::unheard;
    std::optional<BlockRef> block{};

    [[nodiscard]] static ToldTag from(const Answer& answer);
};

class Finality {
public:
    /// By depth: finalized = head - depth, safe = head - depth / 2.
    explicit Finality(std::uint64_t depth) : depth_(depth) {}

    /// What is settled in `chain`, given the tags polled together with its head. A tag counts only if its block is on
    /// this chain. `finalized` never steps back; `safe` only when a reorg removes it. Once a tag was returned, an error
    /// does not bring the depth rule back: the tag is awaited.
    [[nodiscard]] Settled update(const ToldTag& safe, const ToldTag& finalized, const CanonicalChain& chain);

    /// The lowest block of a first window under this head; empty while the tag got no answer.
    [[nodiscard]] std::optional<BlockNumber> bottom(const ToldTag& finalized, BlockNumber head) const;

    /// Tags found to be unsupported since the last call.
    [[nodiscard]] std::vector<std::string_view> newly_absent();

    /// Forgets all: the branch on which this was true is gone.
    void restart();

private:
    struct Tag {
        bool offered = false;
        bool noticed = false;
        bool to_tell = false;
    };
    void note(Tag& tag, const ToldTag& told);
    void update_finalized(const ToldTag& told, const CanonicalChain& chain);
    void update_safe(const ToldTag& told, const CanonicalChain& chain);

    std::uint64_t depth_;
    Tag safe_tag_;
    Tag finalized_tag_;
    std::optional<BlockNumber> finalized_;
    std::optional<BlockRef> safe_;
};

}  // namespace fencepost::evm
