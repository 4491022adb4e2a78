#include "telemetry/metric_help.hpp"

#include "base/assert.hpp"

namespace fencepost::telemetry {

std::string_view help_of(Counter counter) {
    switch (counter) {
        case Counter::lease_acquire:
            return "Leases asked for, and what came of it.";
        case Counter::lease_fenced:
            return "Writes refused because the lease was lost, by what was to be written.";
        case Counter::tx_create:
            return "Valid requests for a transaction, and what came of them. What is refused before (mistakes, "
                   "policies, "
                   "no key to sign, another node's) is not counted.";
        case Counter::tx_submit:
            return "Transactions sent to the chain, and what it answered.";
        case Counter::receipt_check:
            return "Looks for a receipt, and whether it was there.";
        case Counter::confirmations_new_fork:
            return "Forks that took confirmations back.";
        case Counter::resubmit:
            return "Transactions sent again, and what came of it.";
        case Counter::finality:
            return "Transactions that reached a final state, by that state.";
        case Counter::stuck_decision:
            return "Decisions about transactions that do not go on, by what was decided.";
        case Counter::nonce_reserved:
            return "Nonces reserved of keys that others use, too, by where their count came from.";
        case Counter::nonce_allocated:
            return "Nonces given to transactions.";
        case Counter::nonce_used:
            return "Nonces that were used for good: their transaction is final, or, of a shared key, lost to others.";
        case Counter::nonce_recycled:
            return "Nonces of keys that others use, too, that were given back.";
        case Counter::tx_settled:
            return "Transactions that reached a final state: the throughput of each submitter.";
        case Counter::reconcile:
            return "Comparisons of our nonces with the chain's, and what they found.";
        case Counter::grey_zone:
            return "What a connector that signs may have sent without telling: entered, and how it was resolved.";
        case Counter::rpc_call:
            return "Batches sent to an endpoint, and whether it answered.";
        case Counter::lease_renew_failure:
            return "Renewals of leases that did not renew, and why.";
        case Counter::lease_token_jump:
            return "Fencing tokens that other nodes drew between two openings by this one.";
        case Counter::window_reduction:
            return "Times that fewer transactions of a submitter were allowed in flight than before, and why.";
    }
    FP_UNREACHABLE();
}

std::string_view help_of(Latency latency) {
    switch (latency) {
        case Latency::accept:
            return "From the arrival of a request to its durable answer.";
        case Latency::accept_to_send:
            return "From the acceptance of a transaction to the answer to its first send.";
        case Latency::accept_to_mined:
            return "From the acceptance of a transaction to its first receipt.";
        case Latency::accept_to_final:
            return "From the acceptance of a transaction to its final state.";
        case Latency::receipt_query:
            return "One look for receipts, of a block or of transactions that wait.";
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
            return "Transactions that have a nonce and are not final.";
        case Gauge::open_lanes:
            return "Submitters that this node serves.";
        case Gauge::endpoint_available:
            return "Whether an endpoint may be asked now.";
        case Gauge::chain_able:
            return "Whether this node is able to work with a chain: new heads, and endpoints that answer.";
        case Gauge::signers_not_able:
            return "Submitters with work whose signer does not answer this node, or whose key it lacks.";
        case Gauge::window_lanes:
            return "Submitters that this node serves, by what limits how many transactions they may have in flight.";
        case Gauge::window_nonces:
            return "How many transactions those submitters may have in flight together.";
        case Gauge::window_smallest:
            return "The fewest that one of those submitters may have in flight.";
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::telemetry
