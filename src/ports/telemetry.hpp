// What is counted. The vocabulary is closed and stands here, so that no two places count the same thing under two
// names.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"

namespace fencepost {

/// The seeds' counters, each with one label at the most (in brackets). Exported under "fencepost_".
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
    nonce_reserved,       // {source}: relaxed mode: "chain" was asked, "cache" was fresh, "local" for want of a chain
    nonce_allocated,      // {submitter}
    nonce_used,           // {submitter}
    nonce_recycled,       // {submitter}
    tx_settled,           // {submitter}
    reconcile,            // {result}
    grey_zone,            // {event}: what a connector that signs may have sent: entered, and how it was resolved
    rpc_call,             // {result}: one batch to one endpoint: "answered", or how it failed
    lease_renew_failure,  // {reason}: a renewal that did not renew
    window_reduction,     // {limit}: a window became smaller, by what an endpoint refused or dropped
    lease_token_jump,     // how far tokens rose between two openings by this node: others had the lease meanwhile
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

/// What is timed, to be shown as a distribution: the slow ones matter, and an average hides them.
enum class Latency {
    accept,           // a request, from its arrival to its durable answer
    accept_to_send,   // from a transaction's acceptance to the answer to its first send
    accept_to_mined,  // … to its first receipt
    accept_to_final,  // … to its verdict
    receipt_query,    // one look for receipts, of a block or of transactions that wait
    database_write,   // one fenced batch
    rpc_call,         // one batch to one endpoint, whatever came of it
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

/// How much goes in one: a distribution, too.
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

/// What an implementation promises: counting and timing never wait, never fail, and never throw.
class Telemetry {
public:
    virtual ~Telemetry() = default;
    /// `label` is one of a closed set of values (an enum's name), or a submitter where the counter says so, never data
    /// from outside. Of submitters there may be any number: an implementation bounds how many it tells apart.
    virtual void count(Counter counter, std::string_view label = {}, std::uint64_t by = 1) = 0;
    /// Those who only count need not listen.
    virtual void observe(Latency /*latency*/, Duration /*took*/) {}
    virtual void measure(Size /*size*/, std::uint64_t /*count*/) {}
};

/// For tests and tools that tell nobody.
class NoTelemetry final : public Telemetry {
public:
    void count(Counter /*counter*/, std::string_view /*label*/, std::uint64_t /*by*/) override {}
};

}  // namespace fencepost
