// What a node is able to work with, as it says itself in its heartbeat. Others place lanes by it, and people read it;
// only a lease says who may write.
#pragma once

#include <map>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

/// Why a node is not able to work. Closed, and without words from outside: /readyz shows it to everybody.
enum class AbilityCause {
    no_head,      // no new head of the chain for several block intervals
    send_failed,  // no endpoint answers what is sent
    no_answer,    // no endpoint answers when a lane opens
    sign_failed,  // the signer does not answer, or not with what it was asked for
    no_key,       // no signer of this node has the key
};
FP_ENUM_NAMES(AbilityCause, as_written, no_head, send_failed, no_answer, sign_failed, no_key)

struct Ability {
    /// Nothing: it is able.
    std::optional<AbilityCause> cause{};
    /// Since when it is, or is not, by the node's own clock: for people, never compared.
    UnixTime since{};
    /// Not able before this, by the node's own clock, unless something works sooner.
    std::optional<UnixTime> retry_at{};

    [[nodiscard]] bool is_able() const { return !cause; }
    friend bool operator==(const Ability&, const Ability&) = default;
};

struct ChainAbility {
    Ability ability{};
    /// The highest block that the node has heard of.
    std::optional<BlockNumber> head{};

    friend bool operator==(const ChainAbility&, const ChainAbility&) = default;
};

struct NodeAbility {
    /// Every chain that the node is configured for. Empty: the node does not say (an older version).
    std::map<ChainRef, ChainAbility> chains{};
    /// By whom is signed for. One that is not listed is able since the node's start: nothing was seen that says
    /// otherwise.
    std::map<SubmitterId, Ability> signers{};

    friend bool operator==(const NodeAbility&, const NodeAbility&) = default;
};

}  // namespace fencepost
