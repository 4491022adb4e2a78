#include "api/command.hpp"

#include <utility>

#include <fmt/format.h>

#include "api/audit.hpp"
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/submit/tx_request.hpp"

namespace fencepost::api {
namespace {

using http::problem;
using http::ProblemKind;

// A body is not needed; where there is one it must be what it should be.
OrProblem<std::string> reason_of(const http::Request& request) {
    if (request.body.empty()) return std::string{};
    if (auto other = refuse_other_media(request)) return err(*std::move(other));
    return read_reason(request.body);
}

// A command that is posted twice does no harm, so that one whose fate is not known is posted again.
Task<Result<CommandSequence, StoreError>> post(Service* service, Command command) {
    auto posted = co_await service->parts.commands.post(command);
    if (posted || posted.error() != StoreError::unknown_outcome) co_return posted;
    co_return co_await service->parts.commands.post(std::move(command));
}

Task<http::Response> post_command(Service* service, Caller caller, std::string_view name, Command command) {
    command.requested_by = caller.name;
    const auto posted = co_await post(service, command);
    audit(service->parts.log, caller, name, command, posted ? "posted" : name_of(posted.error()));
    if (!posted) co_return store_problem(posted.error());
    service->parts.wake_lane(command.submitter);
    co_return json_response(command_json(*posted, command, name), http::StatusCode::accepted);
}

Task<http::Response> act_on_tx(Service* service, TxAct act, http::Request request) {
    const auto caller = service->parts.gate.admit(request, act.scope);
    if (!caller) co_return caller.error();
    auto reason = reason_of(request);
    if (!reason) co_return std::move(reason.error());
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    if (auto no = act.refuse(*tx)) co_return *std::move(no);
    const Command command{.submitter = tx->submitter, .kind = act.kind, .tx = tx->id, .reason = *std::move(reason)};
    co_return co_await post_command(service, *caller, act.name, command);
}

Task<http::Response> act_on_submitter(Service* service, SubmitterAct act, http::Request request) {
    const auto caller = service->parts.gate.admit(request, Scope::admin);
    if (!caller) co_return caller.error();
    auto reason = reason_of(request);
    if (!reason) co_return std::move(reason.error());
    const auto submitter = read_submitter(*service, *caller, request.parameter("submitter"), "submitter");
    if (!submitter) co_return submitter.error();
    if (!service->parts.submitters.can_be_served(*submitter)) {
        co_return problem(ProblemKind::not_found,
                          fmt::format("There is no key for {}, so that no lane would do it.", *submitter));
    }
    // What is stopped says why; without a reason, at least by whom.
    if (reason->empty()) *reason = fmt::format("asked for by {}", caller->name);
    const Command command{.submitter = *submitter, .kind = act.kind, .tx = {}, .reason = *std::move(reason)};
    co_return co_await post_command(service, *caller, act.name, command);
}

}  // namespace

std::optional<http::Response> refuse_settled(const TxView& tx) {
    // One that a reorg removed waits to be mined again, and can be helped with that (failure 46).
    if (!is_final(tx.position.state) || is_removed(tx.position)) return std::nullopt;
    return problem(ProblemKind::already_settled,
                   fmt::format("The transaction is {}, which never changes.", name_of(tx.position.state)));
}

std::optional<http::Response> refuse_unless_in_flight(const TxView& tx) {
    if (auto settled = refuse_settled(tx)) return settled;
    if (tx.position.state == State::queued) {
        return problem(ProblemKind::not_possible, "The transaction waits for its turn and has not been sent yet.");
    }
    if (tx.receipt) {
        return problem(ProblemKind::not_possible,
                       fmt::format("The transaction is in block {} already, and waits for confirmations.",
                                   tx.receipt->block_number));
    }
    return std::nullopt;
}

http::Route route_of(Service& service, TxAct act) {
    return {http::Method::post, fmt::format("/api/v1/tx/{{txId}}/{}", act.name),
            [&service, act](http::Request request) { return act_on_tx(&service, act, std::move(request)); }};
}

http::Route route_of(Service& service, SubmitterAct act) {
    return {http::Method::post, fmt::format("/api/v1/submitters/{{submitter}}/{}", act.name),
            [&service, act](http::Request request) { return act_on_submitter(&service, act, std::move(request)); }};
}

}  // namespace fencepost::api
