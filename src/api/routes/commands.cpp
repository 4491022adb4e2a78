// POST /api/v1/tx/{txId}/… and /api/v1/submitters/{submitter}/…: commands to a lane. The node that is asked stores the
// command; the lane executes it under its fence, on whichever node that is. One row a command.
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/audit.hpp"
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"
#include "api/submit/tx_request.hpp"
#include "domain/tx/requeue.hpp"

namespace fencepost::api::routes {
namespace {

using http::problem;
using http::ProblemKind;

/// Why a command is refused for a transaction; nothing when it is not.
using CommandProblem = std::optional<http::Response>;

struct TxCommand {
    CommandKind kind;
    std::string_view name;  // in the path
    Scope scope;
    CommandProblem (*refuse)(const TxView& tx);
};

/// For administrators.
struct SubmitterCommand {
    CommandKind kind;
    std::string_view name;
};

// A body is not needed; where there is one it must be what it should be.
OrProblem<std::string> reason_of(const http::Request& request) {
    if (request.body.empty()) return std::string{};
    if (auto other = refuse_non_json(request)) return err(*std::move(other));
    return read_reason(request.body);
}

// A command that is posted twice does no harm, so that one whose fate is not known is posted again.
Task<Result<CommandSequence, StoreError>> post(Service* service, Command command) {
    auto posted = co_await service->dependencies.commands.post(command);
    if (posted || posted.error() != StoreError::unknown_outcome) co_return posted;
    co_return co_await service->dependencies.commands.post(std::move(command));
}

Task<http::Response> post_command(Service* service, Caller caller, std::string_view name, Command command) {
    command.requested_by = caller.name;
    const auto posted = co_await post(service, command);
    audit(service->dependencies.log, caller, name, command, posted ? "posted" : name_of(posted.error()));
    if (!posted) co_return store_problem(posted.error());
    service->dependencies.wake_lane(command.submitter);
    co_return json_response(command_json(*posted, command, name), http::StatusCode::accepted);
}

Task<http::Response> post_tx_command(Service* service, TxCommand command, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, command.scope);
    if (!caller) co_return caller.error();
    auto reason = reason_of(request);
    if (!reason) co_return std::move(reason.error());
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    if (auto no = command.refuse(*tx)) co_return *std::move(no);
    const Command posted{.submitter = tx->submitter, .kind = command.kind, .tx = tx->id, .reason = *std::move(reason)};
    co_return co_await post_command(service, *caller, command.name, posted);
}

Task<http::Response> post_submitter_command(Service* service, SubmitterCommand command, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::admin);
    if (!caller) co_return caller.error();
    auto reason = reason_of(request);
    if (!reason) co_return std::move(reason.error());
    const auto submitter = read_submitter(*service, *caller, request.parameter("submitter"), "submitter");
    if (!submitter) co_return submitter.error();
    if (!service->dependencies.submitters.can_be_served(*submitter)) {
        co_return problem(ProblemKind::not_found,
                          fmt::format("No signer of this service has the key of {}.", *submitter));
    }
    // What is stopped says why; without a reason, at least by whom.
    if (reason->empty()) *reason = fmt::format("requested by {}", caller->name);
    const Command posted{.submitter = *submitter, .kind = command.kind, .tx = {}, .reason = *std::move(reason)};
    co_return co_await post_command(service, *caller, command.name, posted);
}

// What has a verdict keeps it. A transaction that a reorg removed waits to be mined again: that can be helped
// (failure 46).
CommandProblem refuse_settled(const TxView& tx) {
    if (!is_final(tx.position.state) || is_removed(tx.position)) return std::nullopt;
    return problem(ProblemKind::already_settled,
                   fmt::format("The transaction is {}, which never changes.", name_of(tx.position.state)));
}

CommandProblem refuse_unless_in_flight(const TxView& tx) {
    if (auto settled = refuse_settled(tx)) return settled;
    if (tx.position.state == State::queued)
        return problem(ProblemKind::not_possible, "The transaction is queued and has not been sent yet.");
    if (tx.receipt) {
        return problem(ProblemKind::not_possible,
                       fmt::format("The transaction is in block {} already, and waits for confirmations.",
                                   tx.receipt->block_number));
    }
    return std::nullopt;
}

// A queued transaction is cancelled without a nonce; one that is in a block cannot be taken back.
CommandProblem refuse_cancel(const TxView& tx) {
    return tx.position.state == State::queued ? std::nullopt : refuse_unless_in_flight(tx);
}

CommandProblem refuse_requeue(const TxView& tx) {
    if (tx.requeued_as) {
        return problem(ProblemKind::not_possible,
                       fmt::format("It was submitted again already, as {}.", tx.requeued_as->value()));
    }
    if (may_be_requeued(tx.position)) return std::nullopt;
    if (tx.position == Position{State::stuck, SubState::nonce_taken}) {
        return problem(ProblemKind::not_possible,
                       "The transaction that used its nonce is not final yet, and a reorg may give the nonce back: ask "
                       "again once this one is FAILED_FINAL.");
    }
    return problem(ProblemKind::not_possible,
                   fmt::format("It is {}: only a transaction that lost its nonce to an external transaction for good "
                               "is submitted again.",
                               name_of(tx.position.state)));
}

constexpr std::array tx_commands{
    // Replaces what has a nonce by a transfer of nothing. The original may still be mined: the verdict says which.
    TxCommand{CommandKind::cancel, "cancel", Scope::write, refuse_cancel},
    // Sends it again with a higher fee.
    TxCommand{CommandKind::speed_up, "speedup", Scope::write, refuse_unless_in_flight},
    // Sends the same bytes again, now.
    TxCommand{CommandKind::resubmit, "resubmit", Scope::write, refuse_unless_in_flight},
    // Submits the intent again as a new transaction, when an external transaction used its nonce.
    TxCommand{CommandKind::requeue, "requeue", Scope::admin, refuse_requeue},
};

constexpr std::array submitter_commands{
    // Nothing new is accepted or given a nonce; what is in flight goes on.
    SubmitterCommand{CommandKind::pause, "pause"},
    // Ends a pause, not a protection.
    SubmitterCommand{CommandKind::resume, "resume"},
    SubmitterCommand{CommandKind::protect, "protect"},
    // Lifts a protection, once the lane has found the chain in order.
    SubmitterCommand{CommandKind::unprotect, "unprotect"},
    // Compares with the chain now, not when it is due.
    SubmitterCommand{CommandKind::reconcile, "reconcile"},
};

}  // namespace

std::vector<http::Route> command_routes(Service& service) {
    std::vector<http::Route> routes;
    routes.reserve(tx_commands.size() + submitter_commands.size());
    for (const auto& command : tx_commands) {
        routes.push_back({http::Method::post, fmt::format("/api/v1/tx/{{txId}}/{}", command.name),
                          [&service, command](http::Request request) {
                              return post_tx_command(&service, command, std::move(request));
                          }});
    }
    for (const auto& command : submitter_commands) {
        routes.push_back({http::Method::post, fmt::format("/api/v1/submitters/{{submitter}}/{}", command.name),
                          [&service, command](http::Request request) {
                              return post_submitter_command(&service, command, std::move(request));
                          }});
    }
    return routes;
}

}  // namespace fencepost::api::routes
