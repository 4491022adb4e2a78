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
struct ReportedTag {
    enum class Kind {
        reported,    // the block exists
        absent,      // the node answered null or an error
        unanswered,  // no answer, which proves nothing
    };
    Kind kind = Kind::unanswered;
    std::optional<BlockRef> block{};

    [[nodiscard]] static ReportedTag from(const Answer& answer);
};

class Finality {
public:
    /// By depth: finalized = head - depth, safe = head - depth / 2.
    explicit Finality(std::uint64_t depth) : depth_(depth) {}

    /// What is settled in `chain`, given the tags polled together with its head. A tag counts only if its block is on
    /// this chain. `finalized` never steps back; `safe` only when a reorg removes it. Once a tag was returned, an error
    /// does not bring the depth rule back: the tag is awaited.
    [[nodiscard]] Settled update(const ReportedTag& safe, const ReportedTag& finalized, const CanonicalChain& chain);

    /// The lowest block of a first window under this head; empty while the tag got no answer.
    [[nodiscard]] std::optional<BlockNumber> bottom(const ReportedTag& finalized, BlockNumber head) const;

    /// Tags found to be unsupported since the last call.
    [[nodiscard]] std::vector<std::string_view> newly_unsupported();

    /// Forgets all: the branch on which this was true is gone.
    void restart();

private:
    struct Tag {
        bool offered = false;
        bool noticed = false;
        bool to_tell = false;
    };
    void note(Tag& tag, const ReportedTag& reported);
    void update_finalized(const ReportedTag& reported, const CanonicalChain& chain);
    void update_safe(const ReportedTag& reported, const CanonicalChain& chain);

    std::uint64_t depth_;
    Tag safe_tag_;
    Tag finalized_tag_;
    std::optional<BlockNumber> finalized_;
    std::optional<BlockRef> safe_;
};

}  // namespace fencepost::evm
