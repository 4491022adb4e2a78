// The JSON that callers receive: amounts as decimal strings, bytes as 0x and hexadecimal digits, times as RFC 3339.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/auth/caller.hpp"
#include "api/dependencies.hpp"
#include "api/query/block_list.hpp"
#include "domain/tx/diagnosis.hpp"
#include "domain/window/window_facts.hpp"
#include "http/message/message.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::api {

/// Only administrators see nonces and fence tokens; a business caller does not need them.
enum class Detail { business, admin };

[[nodiscard]] inline Detail detail_for(const Caller& caller) {
    return caller.may(Scope::admin) ? Detail::admin : Detail::business;
}

[[nodiscard]] std::string tx_json(const TxView& tx, std::uint64_t confirmations, Detail detail);
[[nodiscard]] std::string history_json(const HistoryEntry& entry);
/// `successor` is the attempt that was signed next to replace this one, if there is one.
[[nodiscard]] std::string attempt_json(const Attempt& attempt, const Attempt* successor);
[[nodiscard]] std::string diagnosis_json(const TxId& id, const Diagnosis& diagnosis);
/// For a transaction without a nonce, because the window is full.
[[nodiscard]] std::string diagnosis_json(const TxId& id, const QueuedBehind& behind);
/// For a transaction that is not in flight.
[[nodiscard]] std::string diagnosis_json(const TxId& id, std::string_view sentence);
[[nodiscard]] std::string command_json(CommandSequence sequence, const Command& command, std::string_view command_name);

/// Everything that the API shows of a submitter.
struct SubmitterDetails {
    SubmitterId submitter;
    SubmitterView view;
    AllocationCounts allocations;
    std::optional<std::string> chain;  // its configured name on this node
    WindowRules window{};
    std::optional<Wei> balance{};
    std::optional<std::string> balance_error{};
};
[[nodiscard]] std::string submitter_json(const SubmitterDetails& details, Detail detail);

[[nodiscard]] std::string chain_json(const ServedChain& chain);
[[nodiscard]] std::string cluster_json(const NodeId& self, std::string_view version,
                                       const std::vector<NodeInfo>& nodes);
/// Ability is reported but does not decide readiness: accepting needs neither chain nor signer. The response is public,
/// so it says how many signers fail, not which.
[[nodiscard]] std::string health_json(const std::vector<HealthCheck>& checks,
                                      const std::optional<NodeAbility>& ability);

/// {"items": […], "next": …}; the items are JSON already.
[[nodiscard]] std::string list_json(const std::vector<std::string>& items, const std::optional<std::string>& next = {});
/// The blocks above the transaction's block, and how many are required.
[[nodiscard]] std::string confirmations_json(const BlocksSince& since, std::uint64_t required, bool settled);
/// One item of a batch response: the response that the item would have got alone.
[[nodiscard]] std::string batch_item_json(const http::Response& answer);

[[nodiscard]] http::Response json_response(std::string body, http::StatusCode status = http::StatusCode::ok);

}  // namespace fencepost::api
