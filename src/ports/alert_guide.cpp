#include "ports/alert_guide.hpp"

namespace fencepost {

// One case per kind and no default: a new kind does not compile until it is explained here.
AlertGuide guide_to(AlertKind kind) {
    switch (kind) {
        case AlertKind::fenced_spike:
            return {
                "The database refused more writes of nodes that no longer owned the lease than takeovers explain "
                "(more than `monitoring.fencedThreshold` in one `monitoring.window`). No law is broken: each "
                "refused write changed nothing.",
                "Look for nodes that stall: CPU starvation, a paused virtual machine, a slow disk or network to "
                "PostgreSQL. Compare `fencepost cluster` with the machines that should run.",
                "troubleshooting.md"};
        case AlertKind::receipt_backlog:
            return {
                "The number of transactions that wait for a receipt grew through `monitoring.backlogWindows` "
                "windows in a row, to at least `monitoring.backlogThreshold`.",
                "Check with `fencepost chains` that the head moves and that endpoints answer. If it does, blocks "
                "are full or fees are too low: look at one transaction with `fencepost tx diagnose`.",
                "runbooks/stuck.md"};
        case AlertKind::resubmit_rate:
            return {
                "More than `monitoring.resubmitPercent` per cent of all sends in one window were repeats.",
                "Look at one transaction with `fencepost tx diagnose`: pools drop transactions, blocks are full, or "
                "fees are too low.",
                "runbooks/stuck.md"};
        case AlertKind::protect:
            return {
                "The submitter is stopped (status PROTECT): the chain shows a transaction of its key that Fencepost "
                "did not make, or the chain or the database is not the one on record. Nothing more is signed.",
                "Find out who else uses the key, and stop that. Read the reason with `fencepost submitter show`. "
                "Then lift it with `fencepost submitter unprotect`.",
                "runbooks/protect.md"};
        case AlertKind::fee_capped:
            return {
                "A transaction would need a fee above the configured cap. Its bytes are sent again unchanged, and "
                "are mined when prices fall.",
                "Wait, raise the cap (`fees.cap`), or cancel the transaction.", "runbooks/fee-cap.md"};
        case AlertKind::underfunded:
            return {
                "Endpoints agree that the account cannot pay for a transaction that is in flight. It waits, and the "
                "submitter starts nothing more.",
                "Send ether to the account. Fencepost goes on by itself.", "runbooks/underfunded.md"};
        case AlertKind::low_balance:
            return {"The balance, less what is in flight, is below `monitoring.lowBalance`. Transactions still run.",
                    "Send ether to the account before it is empty.", "runbooks/underfunded.md"};
        case AlertKind::policy:
            return {
                "A queued transaction was rejected because a policy of its submitter forbids it: destination, "
                "function, value, gas, or the sum in a window of time.",
                "Find out by its requestId (`fencepost tx get`) who submitted it. A caller that may do this needs "
                "another "
                "policy; one that may not could be compromised: revoke its API key."};
        case AlertKind::stuck:
            return {
                "Fencepost has used up its automatic means for a transaction, and the stuck policy leaves the "
                "decision to a person.",
                "Read the cause with `fencepost tx diagnose`, then speed the transaction up, resubmit it or cancel "
                "it.",
                "runbooks/stuck.md"};
        case AlertKind::nonce_taken:
            return {
                "An external transaction consumed the nonce of a transaction. The intent was not executed. It fails "
                "once the external transaction is final.",
                "Find out who else uses the key. When the transaction is FAILED_FINAL, submit the intent again with "
                "`fencepost tx requeue` if it is still wanted.",
                "runbooks/protect.md"};
        case AlertKind::grey_zone:
            return {
                "A node or service that signs and sends on its own (a connector) did not answer. It may have sent "
                "the transaction. Fencepost looks for it by hash and by nonce, and sends nothing else at that "
                "nonce.",
                "Check that the connector answers. If it lost the request for certain, cancel the transaction: a "
                "no-op transaction then consumes the nonce.",
                "runbooks/stuck.md"};
        case AlertKind::reconcile_failure:
            return {
                "The nonces on record could not be compared with the chain (for a key of Fencepost's alone, "
                "`monitoring.reconcileFailures` times in a row). An external use of the key would not be noticed.",
                "Check with `fencepost chains` which endpoints answer, and add one if too few do.",
                "runbooks/provider-outage.md"};
        case AlertKind::reserved_above_threshold:
            return {
                "More than `monitoring.reservedThreshold` nonces of a shared key are reserved and not sent.",
                "Look for callers that reserve nonces and neither use nor return them, and for a lane that does not "
                "send (`fencepost submitter show`).",
                "troubleshooting.md"};
        case AlertKind::chain_silent:
            return {
                "No endpoint of a chain reports new blocks. This version does not raise it: a node without a moving "
                "head hands its lanes over, and NO_ABLE_NODE is raised where no other node can take them.",
                "Check with `fencepost chains` whether the chain or the endpoints stand still.",
                "runbooks/provider-outage.md"};
        case AlertKind::chain_unreachable:
            return {
                "No endpoint answered while a nonce of a shared key was to be chosen. Fencepost went on with the "
                "count in its cache and database, which may collide with another user of the key.",
                "Restore an endpoint. Check afterwards with `fencepost submitter show` that the nonces fit.",
                "runbooks/provider-outage.md"};
        case AlertKind::no_able_node:
            return {
                "A submitter has work, and no live node is able to work with its chain and its key. Its "
                "transactions wait.",
                "`fencepost cluster` names for each node what it is not able to work with, and why: restore the "
                "endpoints (`no_head`, `no_answer`, `send_failed`) or the signer (`sign_failed`, `no_key`).",
                "runbooks/provider-outage.md"};
        case AlertKind::not_mined:
            return {
                "Every endpoint holds the submitter's lowest transaction and its price covers the base fee, but no "
                "block includes it.",
                "Check whether blocks include other transactions. If they do, raise the tip with `fencepost tx "
                "speedup`; if not, the chain's block producers are at fault.",
                "runbooks/stuck.md"};
        case AlertKind::logged:
            return {
                "The program wrote a log line of the severity ALERT; the message of the alert is that line. "
                "Examples: a reorg removed a settled transaction, an endpoint serves another chain, a lane failed "
                "and was opened again.",
                "Read the log around that line. A fault of Fencepost (a lane failed, the store threw) should be "
                "reported with it.",
                "troubleshooting.md"};
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost
