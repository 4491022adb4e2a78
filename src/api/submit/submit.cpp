#include "api/submit/submit.hpp"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/submit/other_owner.hpp"
#include "http/message/problem.hpp"

namespace fencepost::api {
namespace {

using http::problem;
using http::problem_about;
using http::ProblemKind;
using http::StatusCode;
using http::temporary_problem;
using std::chrono::seconds;

http::Response with_location(http::Response response, const TxId& id) {
    response.headers.add("Location", fmt::format("/api/v1/tx/{}", id.value()));
    return response;
}

http::Response known(const Service& service, const Caller& caller, const TxView& tx) {
    return with_location(json_response(tx_json_for(service, caller, tx)), tx.id);
}

// Built from the request: a read of the new row would give the same view and cost a round trip.
http::Response accepted(const Service& service, const Caller& caller, const NewIntent& intent,
                        const AcceptAnswer& answer) {
    const auto now = answer.accepted_at.value_or(service.dependencies.clock.unix_now());
    const TxView view{.id = intent.id,
                      .submitter = intent.submitter,
                      .request = intent.request,
                      .sequence = {},
                      .intent = intent.intent,
                      .position = {},
                      .nonce = {},
                      .hash = {},
                      .first_submit_at = {},
                      .last_submit_at = {},
                      .next_action_at = {},
                      .last_receipt_check = {},
                      .receipt = {},
                      .confirmed_at = {},
                      .error = {},
                      .fencing_token = {},
                      .created_at = now,
                      .updated_at = now};
    return with_location(json_response(tx_json_for(service, caller, view), StatusCode::accepted), intent.id);
}

http::Response reused(const TxId& original) {
    const auto id = original.value().to_string();
    return problem_about(ProblemKind::request_id_reused,
                         fmt::format("This requestId was used for transaction {}, which differs: give every "
                                     "request its own id.",
                                     id),
                         "txId", id);
}

http::Response failed(AcceptFailure failure) {
    switch (failure) {
        case AcceptFailure::overloaded:
            return temporary_problem(
                ProblemKind::overloaded,
                "Too many transactions are waiting to be written; this one was not accepted. Retry.", seconds(1));
        case AcceptFailure::unavailable:
            return store_problem(StoreError::unavailable);
        case AcceptFailure::unknown:
            return temporary_problem(ProblemKind::store_unavailable,
                                     "It is unknown whether the transaction was accepted. Retry with the same "
                                     "requestId: it is executed once.",
                                     seconds(1));
    }
    FP_UNREACHABLE();
}

using Elsewhere = std::map<SubmitterId, http::Response>;

// Checked once per submitter of a batch.
Task<Elsewhere> served_elsewhere(Service* service, const TxRequests* requests) {
    Elsewhere found;
    for (const auto& request : *requests) {
        if (!request || found.contains(request->submitter)) continue;
        if (!is_served_elsewhere(*service, request->submitter)) continue;
        found.emplace(request->submitter, co_await not_owner(service, request->submitter));
    }
    co_return found;
}

// Why a new request is refused before it is submitted.
std::optional<http::Response> refusal(const Service& service, const TxRequest& request, const Elsewhere& elsewhere) {
    if (!service.dependencies.submitters.can_be_served(request.submitter)) {
        return wrong_field("submitter", fmt::format("there is no key for {}: configure one and restart (key files "
                                                    "are read at start), or use another",
                                                    request.submitter));
    }
    if (const auto other = elsewhere.find(request.submitter); other != elsewhere.end()) return other->second;
    const auto allowed = service.dependencies.rules.check(request.submitter, request.intent);
    if (allowed) return std::nullopt;
    const auto& [field, detail] = allowed.error();
    return problem(ProblemKind::policy_refused, fmt::format("{}: {}.", field, detail), {{field, detail}});
}

// A known request gets its original answer, even if it would be refused now: its caller may have missed the first
// answer, and would pay a second time in another way (failure 24).
Task<http::Response> refused_unless_known(Service* service, Caller caller, TxRequest request, http::Response refused) {
    if (!request.request) co_return refused;
    const auto found = co_await service->dependencies.queries.by_request(request.submitter, *request.request);
    if (!found) co_return store_problem(found.error());
    if (!*found) co_return refused;
    if (fingerprint((*found)->intent) != fingerprint(request.intent)) co_return reused((*found)->id);
    co_return known(*service, caller, **found);
}

Task<http::Response> known_by_id(Service* service, Caller caller, TxId id) {
    const auto found = co_await service->dependencies.queries.by_id(id);
    if (!found) co_return store_problem(found.error());
    // Only an operator can have deleted it in the database.
    if (!*found) co_return store_problem(StoreError::unavailable);
    co_return known(*service, caller, **found);
}

Task<http::Response> answered(Service* service, Caller caller, NewIntent intent, AcceptAnswer answer) {
    switch (answer.kind) {
        case AcceptKind::accepted:
            co_return accepted(*service, caller, intent, answer);
        case AcceptKind::same_again:
            co_return co_await known_by_id(service, std::move(caller), answer.id);
        case AcceptKind::other_body:
            co_return reused(answer.id);
        case AcceptKind::submitter_paused:
            co_return problem(
                ProblemKind::submitter_paused,
                fmt::format("{} is paused and accepts no new transactions: {}", intent.submitter, answer.reason));
        case AcceptKind::submitter_protected:
            co_return problem(ProblemKind::submitter_protected,
                              fmt::format("{} is stopped until an operator lifts the protection: {}", intent.submitter,
                                          answer.reason));
        case AcceptKind::invalid:
            co_return wrong_field("requestId", answer.reason);
    }
    FP_UNREACHABLE();
}

}  // namespace

Result<TxRequestRules, http::Response> request_rules(const Service& service, const http::Request& request) {
    TxRequestRules rules{.chains = service.chain_names(), .require_request_id = service.options.require_request_id};
    constexpr std::string_view name = "Idempotency-Key";
    if (request.headers.count(name) > 1) return err(wrong_field(std::string(name), "occurs twice"));
    auto key = request.headers.find(name);
    if (!key) return rules;
    // A structured field's string is quoted (RFC 8941, section 3.3.3); most clients omit the quotes.
    if (key->size() >= 2 && key->starts_with('"') && key->ends_with('"')) key = key->substr(1, key->size() - 2);
    rules.idempotency_key = std::string(*key);
    return rules;
}

Task<std::vector<http::Response>> submit_transactions(Service* service, Caller caller, TxRequests requests) {
    std::vector<http::Response> answers(requests.size());
    std::vector<NewIntent> intents;
    std::vector<std::size_t> places;
    Elsewhere elsewhere;
    if (service->dependencies.is_home_of) elsewhere = co_await served_elsewhere(service, &requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        auto& request = requests[i];
        if (!request) {
            answers[i] = std::move(request.error());
        } else if (!caller.may_use(request->submitter)) {
            answers[i] = forbidden_submitter(request->submitter);
        } else if (auto no = refusal(*service, *request, elsewhere)) {
            answers[i] = co_await refused_unless_known(service, caller, *request, *std::move(no));
        } else {
            intents.push_back({service->new_id(), request->submitter, request->request, std::move(request->intent)});
            places.push_back(i);
        }
    }
    auto accepts = co_await service->accepts.accept(intents);
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto& answer = answers[places[i]];
        if (accepts) {
            answer = co_await answered(service, caller, std::move(intents[i]), accepts->at(i));
        } else {
            answer = failed(accepts.error());
        }
    }
    co_return answers;
}

}  // namespace fencepost::api
