// The events published about a transaction. An event is written in the same database transaction as its change, and
// numbered per transaction from 1. No event contains a nonce: nonces are internal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "domain/chain/block.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost {

struct TxAccepted {
    static constexpr std::string_view name = "TxAccepted";
    SubmitterId submitter;
    /// The transaction that this one replaces after an operator queued it again.
    std::optional<TxId> requeued_from{};
};
struct TxSubmitted {
    static constexpr std::string_view name = "TxSubmitted";
    TxHash hash;
};
struct TxReceiptUpdated {
    static constexpr std::string_view name = "TxReceiptUpdated";
    BlockNumber block_number;
    bool succeeded = false;
};
struct TxConfirmed {
    static constexpr std::string_view name = "TxConfirmed";
    std::vector<BlockRef> confirmations;
    bool new_fork = false;
};
struct TxFailed {
    static constexpr std::string_view name = "TxFailed";
    std::string reason;
};
/// The published verdict no longer holds: a reorg removed its block, and an operator abandoned the intent instead of
/// having it mined again. The state stays; this is the last event of the transaction.
struct TxVerdictRevoked {
    static constexpr std::string_view name = "TxVerdictRevoked";
    State verdict{};
    std::string reason;
};

using TxEventBody = std::variant<TxAccepted, TxSubmitted, TxReceiptUpdated, TxConfirmed, TxFailed, TxVerdictRevoked>;

/// Counts the events of one transaction.
using EventSequence = Ordinal<struct EventSequenceTag>;

struct TxEvent {
    TxId tx;
    EventSequence sequence;
    TxEventBody body;
};

[[nodiscard]] inline std::string_view name_of(const TxEventBody& body) {
    return std::visit([](const auto& event) { return event.name; }, body);
}

}  // namespace fencepost
