// How far a chain is settled. Where the chain offers the tags `finalized` and `safe`, it says so itself; where it does
// not, depth must do. Kept apart from the follower because its rules are about answers, not about asking.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "evm/heads/head_streams.hpp"

namespace fencepost::evm {

/// What one look told of a tag.
struct ToldTag {
    enum class Kind {
        told,     // there is such a block
        absent,   // the node answered: null, or an error of its own
        unheard,  // there was no answer, which says nothing
    };
    Kind kind = Kind::unheard;
    std::optional<BlockRef> block{};

    [[nodiscard]] static ToldTag from(const Answer& answer);
};

class Finality {
public:
    /// By depth, finalized = head - depth, and safe = head - depth / 2.
    explicit Finality(std::uint64_t depth) : depth_(depth) {}

    /// What is settled in `chain`, given what was told beside its head. What was told counts only if it lies on this
    /// chain. `finalized` never steps back; `safe` only when a reorg removes it. A tag that was told once is waited for
    /// from then on: an error does not bring the depth rule back.
    [[nodiscard]] Settled update(const ToldTag& safe, const ToldTag& finalized, const CanonicalChain& chain);

    /// Where a window under this head has to begin, before there is one; nothing while the tag is unheard.
    [[nodiscard]] std::optional<BlockNumber> bottom(const ToldTag& finalized, BlockNumber head) const;

    /// The tags that turned out not to be offered since this was last asked.
    [[nodiscard]] std::vector<std::string_view> newly_absent();

    /// The branch on which all this was true is gone.
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
