#include "api/json/json_output.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/json/to_json.hpp"

namespace fencepost::api {
namespace {

template <typename T>
std::string text_json(const T& value) {
    return json::serialize(to_json(value));
}

// Writes seconds as decimals: the library would write 1.25 as 1.25E0.
std::string seconds_json(Duration duration) {
    return fmt::format("{:.3f}", std::chrono::duration<double>(duration).count());
}

std::string head_json(const HeadView& head) {
    return fmt::format(R"({{"number":{},"hash":{},"age":"{:.1f}s","ageSeconds":{}}})", head.number,
                       text_json(head.hash), std::chrono::duration<double>(head.age).count(), seconds_json(head.age));
}

std::string endpoint_json(const EndpointView& endpoint) {
    return fmt::format(R"({{"name":{},"state":{},"head":{},"lag":{},"latencySeconds":{}}})", text_json(endpoint.name),
                       text_json(endpoint.state), text_json(endpoint.head), text_json(endpoint.lag),
                       endpoint.latency ? seconds_json(*endpoint.latency) : "null");
}

json::value window_json(const std::optional<QueuedBehind>& behind) {
    if (!behind) return nullptr;
    const auto& [state, since] = behind->window;
    return json::object{{"size", state.size},
                        {"limit", to_json(name_of(state.limit))},
                        {"since", to_json(since)},
                        {"behind", behind->transactions}};
}

}  // namespace

std::string tx_json(const TxView& tx, std::uint64_t confirmations, Detail detail) {
    const bool has_sub_state = tx.position.sub != SubState::none;
    json::object object{{"txId", to_json(tx.id)},
                        {"submitter", to_json(tx.submitter.to_string())},
                        {"requestId", to_json(tx.request)},
                        {"state", to_json(name_of(tx.position.state))},
                        {"subState", has_sub_state ? to_json(name_of(tx.position.sub)) : json::value(nullptr)},
                        {"txHash", to_json(tx.hash)},
                        {"blockNumber", tx.receipt ? to_json(tx.receipt->block_number) : json::value(nullptr)},
                        {"confirmations", confirmations},
                        {"receipt", to_json(tx.receipt)},
                        {"error", to_json(error_of(tx))},
                        {"needsPerson", tx.needs_operator()},
                        {"cancelling", tx.abandonment == Abandonment::cancelled && !is_final(tx.position.state)},
                        {"verdictRevoked", tx.abandonment == Abandonment::revoked},
                        {"requeuedFrom", to_json(tx.requeued_from)},
                        {"requeuedAs", to_json(tx.requeued_as)},
                        {"createdAt", to_json(tx.created_at)},
                        {"updatedAt", to_json(tx.updated_at)},
                        {"confirmedAt", to_json(tx.confirmed_at)},
                        {"payload", to_json(tx.intent)}};
    if (detail == Detail::admin) {
        object["nonce"] = to_json(tx.nonce);
        object["fencingToken"] = to_json(tx.fencing_token);
        object["submitAttempts"] = tx.submit_attempts;
    }
    return json::serialize(object);
}

std::string history_json(const HistoryEntry& entry) {
    return json::serialize(json::object{{"kind", to_json(name_of(entry.step.kind))},
                                        {"detail", to_json(entry.step.detail)},
                                        {"node", to_json(entry.node)},
                                        {"fencingToken", to_json(entry.token)},
                                        {"times", entry.times},
                                        {"firstAt", to_json(entry.first_at)},
                                        {"lastAt", to_json(entry.last_at)}});
}

std::string attempt_json(const Attempt& attempt, const Attempt* successor) {
    return json::serialize(json::object{{"kind", to_json(name_of(attempt.kind))},
                                        {"nonce", to_json(attempt.nonce)},
                                        {"txHash", to_json(attempt.hash)},
                                        {"replacedByHash", successor ? to_json(successor->hash) : json::value()},
                                        {"fees", to_json(attempt.fees)},
                                        {"gasLimit", to_json(attempt.gas_limit)}});
}

std::string diagnosis_json(const TxId& id, const Diagnosis& diagnosis) {
    return json::serialize(json::object{{"txId", to_json(id)},
                                        {"likely", to_json(name_of(diagnosis.likely))},
                                        {"sentence", to_json(diagnosis.sentence)},
                                        {"nonce", to_json(diagnosis.nonce)},
                                        {"gap", to_json(diagnosis.gap)},
                                        {"other", to_json(diagnosis.other)},
                                        {"shortBy", to_json(diagnosis.short_by)},
                                        {"window", window_json(diagnosis.behind)}});
}

std::string diagnosis_json(const TxId& id, const QueuedBehind& behind) {
    return json::serialize(json::object{{"txId", to_json(id)},
                                        {"likely", to_json(name_of(LikelyCause::window_full))},
                                        {"sentence", to_json(fmt::format("It is {}.", sentence_of(behind)))},
                                        {"window", window_json(behind)}});
}

std::string diagnosis_json(const TxId& id, std::string_view sentence) {
    return json::serialize(json::object{{"txId", to_json(id)}, {"likely", nullptr}, {"sentence", to_json(sentence)}});
}

std::string command_json(CommandSequence sequence, const Command& command, std::string_view command_name) {
    json::object object{{"commandId", to_json(fmt::format("{}", sequence.value()))}, {"kind", to_json(command_name)}};
    if (command.tx) object["txId"] = to_json(*command.tx);
    object["submitter"] = to_json(command.submitter.to_string());
    return json::serialize(object);
}

std::string chain_json(const ServedChain& chain) {
    std::vector<std::string> endpoints;
    for (const auto& endpoint : chain.endpoints())
        endpoints.push_back(endpoint_json(endpoint));
    const auto head = chain.head();
    return fmt::format(R"({{"name":{},"id":{},"head":{},"endpoints":[{}]}})", text_json(chain.name),
                       text_json(chain.chain.ref().to_string()), head ? head_json(*head) : "null",
                       fmt::join(endpoints, ","));
}

std::string cluster_json(const NodeId& self, std::string_view version, const std::vector<NodeInfo>& nodes) {
    return json::serialize(
        json::object{{"node", to_json(self)}, {"nodes", to_json(nodes)}, {"version", to_json(version)}});
}

std::string health_json(const std::vector<HealthCheck>& checks, const std::optional<NodeAbility>& ability) {
    const bool ready = std::ranges::all_of(checks, &HealthCheck::ok);
    json::object health{{"status", ready ? "ready" : "not ready"}, {"checks", to_json(checks)}, {"ability", nullptr}};
    if (!ability) return json::serialize(health);
    const auto failing =
        std::ranges::count_if(ability->signers, [](const auto& entry) { return !entry.second.is_able(); });
    health["ability"] = {{"chains", to_json(*ability).at("chains")}, {"signersNotAble", failing}};
    return json::serialize(health);
}

std::string list_json(const std::vector<std::string>& items, const std::optional<std::string>& next) {
    return fmt::format(R"({{"items":[{}],"next":{}}})", fmt::join(items, ","), json::serialize(to_json(next)));
}

std::string confirmations_json(const BlocksSince& since, std::uint64_t required, bool settled) {
    return json::serialize(json::object{{"required", required},
                                        {"items", to_json(since.blocks)},
                                        {"next", nullptr},
                                        {"newFork", since.is_new_fork},
                                        {"settled", settled}});
}

std::string batch_item_json(const http::Response& answer) {
    const bool is_good = answer.status == http::StatusCode::ok || answer.status == http::StatusCode::accepted;
    return fmt::format(R"({{"status":{},"{}":{}}})", static_cast<int>(answer.status),
                       is_good ? "transaction" : "problem", answer.body);
}

http::Response json_response(std::string body, http::StatusCode status) {
    return {.status = status, .content_type = "application/json", .body = std::move(body)};
}

}  // namespace fencepost::api
