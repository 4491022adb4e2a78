// POST /api/v1/tx/{txId}/requeue: the intent of a transaction whose nonce somebody else used is handed
// in again, as a new transaction.
#include <optional>

#include <fmt/format.h>

#include "api/command.hpp"
#include "api/routes/routes.hpp"
#include "domain/tx/requeue.hpp"
#include "http/message/problem.hpp"

namespace fencepost::api::routes {
namespace {

using http::problem;
using http::ProblemKind;

std::optional<http::Response> refuse_requeue(const TxView& tx) {
    if (tx.requeued_as) {
        return problem(ProblemKind::not_possible,
                       fmt::format("It was handed in again already, as {}.", tx.requeued_as->value()));
    }
    if (may_be_requeued(tx.position)) return std::nullopt;
    if (tx.position == Position{State::stuck, SubState::nonce_taken}) {
        return problem(ProblemKind::not_possible,
                       "The transaction that used its nonce is not final yet, and a reorg may give the nonce back: ask "
                       "again once this one is FAILED_FINAL.");
    }
    return problem(ProblemKind::not_possible,
                   fmt::format("It is {}: only what lost its nonce to somebody else, for good, is handed in again.",
                               name_of(tx.position.state)));
}

}  // namespace

http::Route requeue_tx(Service& service) {
    return route_of(
        service,
        TxAct{.kind = CommandKind::requeue, .name = "requeue", .scope = Scope::admin, .refuse = refuse_requeue});
}

}  // namespace fencepost::api::routes
