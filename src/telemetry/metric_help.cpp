// The help texts.
#include "telemetry/metric_help.hpp"

#include "base/assert.hpp"

namespace fencepost::telemetry {

std::string_view help_of(Counter counter) {
    switch (counter) {
        case Counter::lease_acquire:
            return "Lease acquisitions, by result.";
        case Counter::lease_fenced:
            return "Writes refused because the lease was lost, by operation.";
        case Counter::tx_create:
            return "Valid transaction requests, by result. Requests refused earlier (invalid, against a policy, "
                   "without a signing key, for another node) are not counted.";
        case Counter::tx_submit:
            return "Transactions sent to the chain, by answer.";
        case Counter::receipt_check:
            return "Receipt lookups, by result.";
        case Counter::confirmations_new_fork:
            return "Reorgs that removed confirmations.";
        case Counter::resubmit:
            return "Resent transactions, by result.";
        case Counter::finality:
            return "Transactions that reached a final state, by state.";
        case Counter::stuck_decision:
            return "Decisions about stuck transactions, by decision.";
        case Counter::nonce_reserved:
            return "Nonces reserved in relaxed mode (shared keys), by source of the count.";
        case Counter::nonce_allocated:
            return "Nonces allocated to transactions.";
        case Counter::nonce_used:
            return "Nonces used permanently: their transaction is final or, with a shared key, an external one took "
                   "the nonce.";
        case Counter::nonce_recycled:
            return "Nonces released in relaxed mode (shared keys).";
        case Counter::tx_settled:
            return "Transactions that reached a final state: the throughput of each submitter.";
        case Counter::reconcile:
            return "Nonce reconciliations with the chain, by result.";
        case Counter::grey_zone:
            return "Unknown send results of signing connectors: entered, and how they were resolved.";
        case Counter::rpc_call:
            return "Batches sent to an endpoint, by result.";
        case Counter::lease_renew_failure:
            return "Failed lease renewals, by reason.";
        case Counter::lease_token_jump:
            return "Fencing tokens that other nodes took between two lane openings on this node.";
        case Counter::window_reduction:
            return "Reductions of a submitter's in-flight window, by reason.";
    }
    FP_UNREACHABLE();
}

std::string_view help_of(Latency latency) {
    switch (latency) {
        case Latency::accept:
            return "Time from a request's arrival to its durable answer.";
        case Latency::accept_to_send:
            return "Time from the acceptance of a transaction to the answer to its first send.";
        case Latency::accept_to_mined:
            return "Time from the acceptance of a transaction to its first receipt.";
        case Latency::accept_to_final:
            return "Time from the acceptance of a transaction to its final state.";
        case Latency::receipt_query:
            return "One receipt lookup, for a block or for waiting transactions.";
        case Latency::database_write:
            return "One fenced batch of writes.";
        case Latency::rpc_call:
            return "One batch of calls to one endpoint.";
    }
    FP_UNREACHABLE();
}

std::string_view help_of(Size size) {
    switch (size) {
        case Size::intake_batch:
            return "Requests accepted in one commit.";
        case Size::lane_batch:
            return "Submitters whose writes went in one commit.";
        case Size::send_batch:
            return "Transactions sent in one call.";
    }
    FP_UNREACHABLE();
}

std::string_view help_of(Gauge gauge) {
    switch (gauge) {
        case Gauge::queue_depth:
            return "Accepted transactions that have no nonce yet.";
        case Gauge::pending_transactions:
            return "Transactions that have a nonce and no final state.";
        case Gauge::open_lanes:
            return "Submitters that this node serves.";
        case Gauge::endpoint_available:
            return "Whether an endpoint is in service.";
        case Gauge::chain_able:
            return "Whether this node can work with a chain: new heads arrive and endpoints answer.";
        case Gauge::signers_not_able:
            return "Submitters with work whose signer does not answer this node, or whose key is missing.";
        case Gauge::window_lanes:
            return "Submitters that this node serves, by what limits their in-flight window.";
        case Gauge::window_nonces:
            return "Sum of the in-flight windows of those submitters.";
        case Gauge::window_smallest:
            return "Smallest in-flight window of those submitters.";
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::telemetry
