// Which chains and keys a node can use, as it reports in its heartbeat. Other nodes place lanes by it and operators
// read it; only a lease grants the right to write.
#pragma once

#include <map>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

/// Why a node cannot work. A closed set without text from outside, because /readyz is public.
enum class AbilityCause {
    no_head,      // no new head of the chain for several block intervals
    send_failed,  // no endpoint answers to sends
    no_answer,    // no endpoint answers when a lane opens
    sign_failed,  // the signer does not answer, or returns something else than requested
    no_key,       // no signer of this node has the key
};
FP_ENUM_NAMES(AbilityCause, as_written, no_head, send_failed, no_answer, sign_failed, no_key)

struct Ability {
    /// None: it is able.
    std::optional<AbilityCause> cause{};
    /// Since when it is (or is not) able, by the node's own clock: for display, never compared.
    UnixTime since{};
    /// The earliest retry, by the node's own clock; a success ends the state earlier.
    std::optional<UnixTime> retry_at{};

    [[nodiscard]] bool is_able() const { return !cause; }
    friend bool operator==(const Ability&, const Ability&) = default;
};

struct ChainAbility {
    Ability ability{};
    /// The highest block that the node knows.
    std::optional<BlockNumber> head{};

    friend bool operator==(const ChainAbility&, const ChainAbility&) = default;
};

struct NodeAbility {
    /// Every configured chain. Empty: the node does not report abilities (an older version).
    std::map<ChainRef, ChainAbility> chains{};
    /// By submitter. A submitter that is not listed has had no failure since the node started.
    std::map<SubmitterId, Ability> signers{};

    friend bool operator==(const NodeAbility&, const NodeAbility&) = default;
};

}  // namespace fencepost
