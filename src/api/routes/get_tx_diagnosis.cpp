// GET /api/v1/tx/{txId}/diagnosis: why a transaction is in its state, as a sentence. For a transaction in flight it
// queries the pools of the endpoints.
#include "api/json/diagnosis_json.hpp"
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_tx_diagnosis(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    const auto view = co_await service->dependencies.queries.submitter(tx->submitter);
    if (!view) co_return store_problem(view.error());
    const auto* const served = service->chain(tx->submitter.chain());
    const auto rules = service->dependencies.submitters.window(tx->submitter);
    if (const auto behind = queued_behind_window(*tx, *view, rules)) {
        co_return json_response(diagnosis_json(tx->id, *behind));
    }
    const bool removed = is_removed(tx->position);
    if ((!holds_unconsumed_nonce(tx->position) && !removed) || served == nullptr) {
        co_return json_response(diagnosis_json(tx->id, explain_from_record(*tx, *view)));
    }
    auto diagnosis = co_await diagnose_in_flight(&service->dependencies.queries, served, *tx, *view, rules);
    if (removed) {
        // The verdict comes first: the caller may take the transaction for settled.
        auto& sentence = diagnosis ? diagnosis->sentence : diagnosis.error();
        sentence = fmt::format("{} {}", explain_from_record(*tx, *view), sentence);
    }
    if (!diagnosis) co_return json_response(diagnosis_json(tx->id, diagnosis.error()));
    co_return json_response(diagnosis_json(tx->id, *diagnosis));
}

}  // namespace

http::Route get_tx_diagnosis(Service& service) {
    return {http::Method::get, "/api/v1/tx/{txId}/diagnosis", handled_by(service, answer_get_tx_diagnosis)};
}

}  // namespace fencepost::api::routes
