// What callers are shown, as JSON text: amounts as decimal strings, bytes as 0x and digits, times as RFC 3339.
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

/// Nonces and fences are for those who look after the service; a business does without (the seeds' black box).
enum class Detail { business, admin };

[[nodiscard]] inline Detail detail_for(const Caller& caller) {
    return caller.may(Scope::admin) ? Detail::admin : Detail::business;
}

[[nodiscard]] std::string tx_json(const TxView& tx, std::uint64_t confirmations, Detail detail);
[[nodiscard]] std::string history_json(const HistoryEntry& entry);
/// With the attempt that was signed next, to take its place, if there is one.
[[nodiscard]] std::string attempt_json(const Attempt& attempt, const Attempt* successor);
[[nodiscard]] std::string diagnosis_json(const TxId& id, const Diagnosis& diagnosis);
/// Of what has no nonce yet, because the window has no room for it.
[[nodiscard]] std::string diagnosis_json(const TxId& id, const QueuedBehind& behind);
/// Of what is not on its way.
[[nodiscard]] std::string diagnosis_json(const TxId& id, std::string_view sentence);
[[nodiscard]] std::string command_json(CommandSequence sequence, const Command& command, std::string_view shown_as);

/// Everything that is shown of a submitter.
struct SubmitterPicture {
    SubmitterId submitter;
    SubmitterView view;
    AllocationCounts allocations;
    std::optional<std::string> chain;  // its name here
    WindowRules window{};
    std::optional<Wei> balance{};
    std::optional<std::string> balance_error{};
};
[[nodiscard]] std::string submitter_json(const SubmitterPicture& picture, Detail detail);

[[nodiscard]] std::string chain_json(const ServedChain& chain);
[[nodiscard]] std::string cluster_json(const NodeId& self, std::string_view version,
                                       const std::vector<NodeInfo>& nodes);
/// What lanes are able to is told beside, and decides nothing: to accept needs neither chain nor signer. Everybody may
/// read it, so whose signers do not work is not said, only how many.
[[nodiscard]] std::string health_json(const std::vector<HealthCheck>& checks,
                                      const std::optional<NodeAbility>& ability);

/// {"items": […], "next": …}, of items that are JSON already.
[[nodiscard]] std::string list_json(const std::vector<std::string>& items, const std::optional<std::string>& next = {});
/// The blocks above a transaction's, and how many are wanted.
[[nodiscard]] std::string confirmations_json(const BlocksSince& since, std::uint64_t required, bool settled);
/// One answer in a batch: what would have been the answer to it alone.
[[nodiscard]] std::string batch_item_json(const http::Response& answer);

[[nodiscard]] http::Response json_response(std::string body, http::StatusCode status = http::StatusCode::ok);

}  // namespace fencepost::api
