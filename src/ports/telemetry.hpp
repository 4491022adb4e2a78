// The port for metrics. The names are a closed set, so that no two components count the same thing under two names.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"

namespace fencepost {

/// Counters, each with at most one label (in brackets). Exported under "fencepost_".
enum class Counter {
    lease_acquire,           // {result}
    lease_fenced,            // {operation}
    tx_create,               // {result}
    tx_submit,               // {result}
    receipt_check,           // {result}
    confirmations_new_fork,  //
    resubmit,                // {result}
    finality,                // {result}
    stuck_decision,          // {action}
    nonce_reserved,          // {source}: relaxed mode: "chain" queried, "cache" fresh, "local" without chain
    nonce_allocated,         // {submitter}
    nonce_used,              // {submitter}
    nonce_recycled,          // {submitter}
    tx_settled,              // {submitter}
    reconcile,               // {result}
    grey_zone,               // {event}: sends of a signing connector with an unknown result: entered, and how resolved
    rpc_call,                // {result}: one batch to one endpoint: "answered", or the kind of failure
    lease_renew_failure,     // {reason}: a failed renewal
    window_reduction,        // {limit}: the send window shrank, and which limit caused it
    lease_token_jump,        // tokens issued to other nodes between two openings by this node
};

template <>
inline constexpr EnumNames<Counter, 20> enum_names<Counter>{{
    {Counter::lease_acquire, "lease_acquire_total"},
    {Counter::lease_fenced, "lease_fenced_total"},
    {Counter::tx_create, "tx_create_total"},
    {Counter::tx_submit, "tx_submit_total"},
    {Counter::receipt_check, "receipt_check_total"},
    {Counter::confirmations_new_fork, "confirmations_new_fork_total"},
    {Counter::resubmit, "resubmit_total"},
    {Counter::finality, "finality_total"},
    {Counter::stuck_decision, "stuck_decision_total"},
    {Counter::nonce_reserved, "nonce_reserved_total"},
    {Counter::nonce_allocated, "nonce_allocated_total"},
    {Counter::nonce_used, "nonce_used_total"},
    {Counter::nonce_recycled, "nonce_recycled_total"},
    {Counter::tx_settled, "tx_settled_total"},
    {Counter::reconcile, "reconcile_total"},
    {Counter::grey_zone, "grey_zone_total"},
    {Counter::rpc_call, "rpc_call_total"},
    {Counter::lease_renew_failure, "lease_renew_failure_total"},
    {Counter::window_reduction, "window_reduction_total"},
    {Counter::lease_token_jump, "lease_token_jump_total"},
}};

/// The name of a counter's label; empty when it has none.
[[nodiscard]] constexpr std::string_view label_of(Counter counter) {
    switch (counter) {
        case Counter::lease_fenced:
            return "operation";
        case Counter::stuck_decision:
            return "action";
        case Counter::grey_zone:
            return "event";
        case Counter::nonce_reserved:
            return "source";
        case Counter::lease_renew_failure:
            return "reason";
        case Counter::window_reduction:
            return "limit";
        case Counter::nonce_allocated:
        case Counter::nonce_used:
        case Counter::nonce_recycled:
        case Counter::tx_settled:
            return "submitter";
        case Counter::confirmations_new_fork:
        case Counter::lease_token_jump:
            return "";
        case Counter::lease_acquire:
        case Counter::tx_create:
        case Counter::tx_submit:
        case Counter::receipt_check:
        case Counter::resubmit:
        case Counter::finality:
        case Counter::reconcile:
        case Counter::rpc_call:
            return "result";
    }
    FP_UNREACHABLE();
}

/// Durations, exported as histograms: the slow ones matter, and an average hides them.
enum class Latency {
    accept,           // a request, from its arrival to its durable answer
    accept_to_send,   // from a transaction's acceptance to the answer to its first send
    accept_to_mined,  // … to its first receipt
    accept_to_final,  // … to its verdict
    receipt_query,    // one query for receipts, of a block or of pending transactions
    database_write,   // one fenced batch
    rpc_call,         // one batch to one endpoint, successful or not
};

template <>
inline constexpr EnumNames<Latency, 7> enum_names<Latency>{{
    {Latency::accept, "accept_seconds"},
    {Latency::accept_to_send, "accept_to_send_seconds"},
    {Latency::accept_to_mined, "accept_to_mined_seconds"},
    {Latency::accept_to_final, "accept_to_final_seconds"},
    {Latency::receipt_query, "receipt_query_seconds"},
    {Latency::database_write, "database_write_seconds"},
    {Latency::rpc_call, "rpc_call_seconds"},
}};

/// Batch sizes, exported as histograms.
enum class Size {
    intake_batch,  // requests accepted in one commit
    lane_batch,    // submitters whose writes went in one commit
    send_batch,    // transactions sent in one call
};

template <>
inline constexpr EnumNames<Size, 3> enum_names<Size>{{
    {Size::intake_batch, "intake_batch_size"},
    {Size::lane_batch, "lane_batch_size"},
    {Size::send_batch, "send_batch_size"},
}};

/// Contract: counting and timing do not block, fail or throw.
class Telemetry {
public:
    virtual ~Telemetry() = default;
    /// `label` is one value of a closed set (an enum's name), or a submitter where the counter says so, never data from
    /// outside. The number of submitters is unbounded: an implementation limits how many it distinguishes.
    virtual void count(Counter counter, std::string_view label = {}, std::uint64_t by = 1) = 0;
    /// Optional for implementations that only count.
    virtual void observe(Latency /*latency*/, Duration /*took*/) {}
    virtual void measure(Size /*size*/, std::uint64_t /*count*/) {}
};

/// For tests and tools without metrics.
class NoTelemetry final : public Telemetry {
public:
    void count(Counter /*counter*/, std::string_view /*label*/, std::uint64_t /*by*/) override {}
};

}  // namespace fencepost
