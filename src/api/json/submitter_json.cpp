#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "api/json/json_output.hpp"
#include "api/json/to_json.hpp"

namespace fencepost::api {
namespace {

std::uint64_t count(const SubmitterView& view, State state) {
    const auto found = view.counts.find(state);
    return found == view.counts.end() ? 0 : found->second;
}

std::uint64_t pending(const SubmitterView& view) {
    std::uint64_t sum = 0;
    for (const auto& [state, number] : view.counts)
        sum += is_final(state) ? 0 : number;
    return sum;
}

json::object counts(const SubmitterView& view) {
    json::object object;
    for (const auto& [state, name] : enum_names<State>)
        object[json::string_view(name.data(), name.size())] = count(view, state);
    return object;
}

json::array in_flight(const SubmitterView& view, Detail detail) {
    json::array array;
    for (const auto& one : view.in_flight) {
        json::object object{{"txId", to_json(one.tx)}};
        if (detail == Detail::admin) object["nonce"] = to_json(one.nonce);
        array.push_back(std::move(object));
    }
    return array;
}

std::string_view in_flight_state(const SubmitterView& view) {
    if (view.status.status == SubmitterStatus::protect) return "PROTECT";
    return view.in_flight.empty() ? "IDLE" : "IN_FLIGHT";
}

json::value lease(const SubmitterView& view) {
    if (!view.lease) return nullptr;
    const bool was_released = view.lease->expires_at == released_at;
    return json::object{{"owner", to_json(view.lease->owner)},
                        {"fencingToken", to_json(view.lease->token)},
                        {"expiresAt", was_released ? json::value(nullptr) : to_json(view.lease->expires_at)},
                        {"held", view.held}};
}

json::value oldest(const SubmitterView& view) {
    if (!view.oldest_pending) return nullptr;
    return json::object{{"txId", to_json(view.oldest_pending->tx)},
                        {"createdAt", to_json(view.oldest_pending->created_at)}};
}

// Why it is not processing, in a sentence; none when it is.
std::optional<std::string> stop_reason(const SubmitterView& view) {
    switch (view.status.status) {
        case SubmitterStatus::paused:
            return fmt::format("It is paused: {}", view.status.reason);
        case SubmitterStatus::protect:
            return fmt::format("It is stopped until an operator lifts the protection: {}", view.status.reason);
        case SubmitterStatus::active:
            break;
    }
    const auto for_a_person = count(view, State::stuck) + count(view, State::unknown_submit_result);
    if (for_a_person > 0) return fmt::format("{} of its transactions need an operator's decision.", for_a_person);
    if (pending(view) > 0 && !view.held) return "It has pending transactions, and no node serves it at the moment.";
    return std::nullopt;
}

json::value configured_window(const WindowRules& rules) {
    return rules.is_fixed() ? json::value(rules.ceiling) : json::value("auto");
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::string submitter_json(const SubmitterDetails& details, Detail detail) {
    const auto& view = details.view;
    const auto window = effective_window(details.window, view.window, view.window_since);
    json::object object{{"submitter", to_json(details.submitter.to_string())},
                        {"chain", to_json(details.chain)},
                        {"address", to_json(details.submitter.account())},
                        {"status", to_json(name_of(view.status.status))},
                        {"statusReason", to_json(unless_empty(view.status.reason))},
                        {"statusSince", to_json(view.status_since)},
                        {"inFlightState", to_json(in_flight_state(view))},
                        {"inFlight", in_flight(view, detail)},
                        {"window", window.state.size},
                        {"windowConfigured", configured_window(details.window)},
                        {"windowLimit", to_json(name_of(window.state.limit))},
                        {"windowSince", to_json(window.since)},
                        {"counts", counts(view)},
                        {"pending", pending(view)},
                        {"confirmed", count(view, State::confirmed)},
                        {"failed", count(view, State::failed_final) + count(view, State::rejected)},
                        {"recyclable", details.allocations.recyclable},
                        {"reserved", details.allocations.reserved},
                        {"lease", lease(view)},
                        {"balance", to_json(details.balance)},
                        {"balanceError", to_json(details.balance_error)},
                        {"oldestPending", oldest(view)},
                        {"stopped", to_json(stop_reason(view))}};
    if (detail == Detail::admin) object["nextNonce"] = to_json(view.next_nonce);
    return json::serialize(object);
}

}  // namespace fencepost::api
