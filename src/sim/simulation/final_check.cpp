// The checks at the end of a run, when everything has settled: the store, the chain and the answers to callers agree.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/hex.hpp"
#include "domain/tx/requeue.hpp"
#include "domain/tx/transition_table.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/store/run_now.hpp"

namespace fencepost::sim {

// A pause command may still arrive; operators then resume. An externally used key stays stopped until an operator
// unprotects it.
bool Simulation::all_submitters_active() const { return inactive_submitters_.empty(); }

// The reason for a stop must be recorded, and it must be true.
void Simulation::check_stop(const DatabaseEvent& event) {
    const auto* committed = std::get_if<Committed>(&event);
    if (committed == nullptr || committed->answer != WriteAnswer::applied) return;
    const auto& submitter = committed->write.submitter;
    const auto& status = committed->write.status;
    if (status && status->status == SubmitterStatus::active) inactive_submitters_.erase(submitter);
    if (status && status->status != SubmitterStatus::active) inactive_submitters_.insert(submitter);
    if (!status || status->status != SubmitterStatus::protect) return;
    ++counts_["submitters stopped"];
    const bool is_shared = settings_.lane.mode == lane::NonceMode::relaxed;
    if (!is_shared && faults_.was_used_externally(submitter) && !status->reason.empty()) return;
    violations_.report(world_.now(), "a key is stopped for a reason", fmt::format("{}: {}", submitter, status->reason),
                       submitter);
}

// No node has work left, and none watches a transaction. The exception is a key of which an external sender took the
// nonce of a settled transaction that a reorg had removed. A key in strict mode may have lost more nonces that way.
bool Simulation::has_no_work_left() {
    const auto unfinished = run_now(database_.truth().unfinished_submitters()).value();
    const bool is_shared = settings_.lane.mode == lane::NonceMode::relaxed;
    return std::ranges::all_of(unfinished, [&](const auto& one) {
        return faults_.was_used_externally(one.submitter) && (!is_shared || has_forked(one.submitter));
    });
}

bool Simulation::has_forked(const SubmitterId& submitter) const {
    return std::ranges::any_of(store_checker_.transactions(), [&](const auto& entry) {
        return entry.second.submitter == submitter && entry.second.position.sub == SubState::forked;
    });
}

bool Simulation::is_settled() {
    // Cheap conditions first: this runs every virtual second.
    const auto done = [this](const auto& entry) { return is_done(entry.second); };
    return clients_.all_requests_answered() && std::ranges::all_of(store_checker_.transactions(), done) &&
           all_submitters_active() && has_no_work_left();
}

// A settled transaction that a reorg removed is mined again, unless an external sender took its nonce. An intent that
// lost its nonce is requeued.
bool Simulation::is_done(const KnownTx& tx) {
    if (!is_final(tx.position.state)) return false;
    if (may_be_requeued(tx.position)) return tx.is_requeued;
    if (tx.position.sub != SubState::forked) return true;
    const auto& head = network_.ledger().head();
    const auto used = network_.ledger().executed(head, *tx.submitter.evm_address(), *tx.nonce);
    return used && faults_.is_external_tx(used->transaction->hash);
}

void Simulation::report_unsettled() {
    for (const auto& [id, tx] : store_checker_.transactions()) {
        if (is_done(tx)) continue;
        const auto view = run_now(database_.truth().by_id(id)).value();
        const auto status = run_now(database_.truth().submitter(tx.submitter)).value().status;
        return violations_.report(world_.now(), "everything settles once nothing goes wrong",
                                  fmt::format("still {} ({}); its submitter is {} {}", tx.position,
                                              view ? view->error : "", name_of(status.status), status.reason),
                                  id);
    }
    if (!clients_.all_requests_answered()) {
        return violations_.report(world_.now(), "everything settles once nothing goes wrong",
                                  "a caller still has no answer");
    }
    const auto unfinished = run_now(database_.truth().unfinished_submitters()).value();
    violations_.report(world_.now(), "everything settles once nothing goes wrong",
                       "a lane or a command is still unfinished",
                       unfinished.empty() ? Subject{} : Subject(unfinished.front().submitter));
}

void Simulation::check_end() {
    event_checker_.take(run_now(database_.truth().read_after(event_checker_.position(), 1'000'000)).value());
    for (const auto& request : clients_.requests())
        check_acknowledgement(request);
    for (const auto& [id, tx] : store_checker_.transactions())
        check_settled(id, tx);
    for (const auto& submitter : submitters_)
        check_nonces(submitter);
}

void Simulation::check_acknowledgement(const Request& request) {
    const auto view = run_now(database_.truth().by_request(request.submitter, request.id)).value();
    if (request.refused && view)
        violations_.report(world_.now(), "what was refused is not done", request.id.value(), view->id);
    if (!request.acknowledged) return;
    if (view && view->id == *request.acknowledged && view->intent == request.intent) return;
    violations_.report(world_.now(), "what was acknowledged is there",
                       fmt::format("{} was acknowledged and is {}", request.id.value(), view ? "another" : "lost"),
                       *request.acknowledged);
}

void Simulation::check_settled(TxId id, const KnownTx& tx) {
    const auto report = [&](std::string law, std::string what) {
        violations_.report(world_.now(), std::move(law), std::move(what), id);
    };
    const auto view = run_now(database_.truth().by_id(id)).value();
    if (!view) return report("what was accepted is there", "it is lost");
    if (view->position != tx.position || view->nonce != tx.nonce || view->receipt != tx.receipt) {
        return report("what was committed is there",
                      fmt::format("committed {}, and {} is there", tx.position, view->position));
    }
    if (view->abandonment == Abandonment::revoked) ++counts_["verdicts revoked"];
    std::size_t executed = 0;
    for (const auto& attempt : tx.attempts) {
        const auto on_chain = network_.ledger().executed(network_.ledger().head(), attempt.hash);
        if (!on_chain) continue;
        ++executed;
        if (tx.receipt == on_chain->receipt()) continue;
        const auto receipt = on_chain->receipt();
        report("the store says what the chain did",
               fmt::format("another receipt: it is in block {} {}, and {}", receipt.block_number,
                           to_hex_prefixed(receipt.block_hash.view()),
                           tx.receipt ? fmt::format("block {} {} is on record", tx.receipt->block_number,
                                                    to_hex_prefixed(tx.receipt->block_hash.view()))
                                      : "none is on record"));
    }
    const bool runs = tx.receipt.has_value();
    if (executed != (runs ? 1U : 0U)) {
        report("the store says what the chain did", fmt::format("{}, and executed {} times", tx.position, executed));
    }
    const auto attempts = run_now(database_.truth().attempts(id)).value();
    if (!std::ranges::equal(attempts, tx.attempts, {}, &Attempt::hash, &Attempt::hash))
        report("what was committed is there", "other attempts are on record");
    const auto event_names = event_checker_.event_names(id);
    if (event_names != tx.events) {
        report("events match what was committed",
               fmt::format("subscribers received {}, and {} was committed", fmt::join(event_names, ", "),
                           fmt::join(tx.events, ", ")));
    }
    check_verdict_events(id, tx);
}

// A subscriber learns the verdict exactly once.
void Simulation::check_verdict_events(TxId id, const KnownTx& tx) {
    const auto confirmed = std::ranges::count(tx.events, std::string(TxConfirmed::name));
    const auto failed = std::ranges::count(tx.events, std::string(TxFailed::name));
    const bool succeeded = tx.position.state == State::confirmed;
    const bool ended = is_final(tx.position.state);
    if (confirmed == (succeeded ? 1 : 0) && failed == (ended && !succeeded ? 1 : 0)) return;
    violations_.report(
        world_.now(), "events report the verdict once",
        fmt::format("{}, with {} events of confirmation and {} of failure", tx.position, confirmed, failed), id);
}

// Every nonce below the cursor was consumed, by one of our transactions or by the external sender.
void Simulation::check_nonces(const SubmitterId& submitter) {
    const auto view = run_now(database_.truth().submitter(submitter)).value();
    const auto& head = network_.ledger().head();
    const auto count = head.state->account(*submitter.evm_address()).nonce;
    const bool is_shared = settings_.lane.mode == lane::NonceMode::relaxed;
    for (Nonce nonce{}; nonce < count; nonce = Nonce(nonce.value() + 1)) {
        const auto used = network_.ledger().executed(head, *submitter.evm_address(), nonce);
        const auto& hash = used->transaction->hash;
        if (faults_.is_external_tx(hash) && !is_shared) check_external_use_detected(submitter, nonce);
        if (store_checker_.owner_of(hash) || faults_.is_external_tx(hash)) continue;
        violations_.report(world_.now(), "law 2: on record before a byte leaves",
                           fmt::format("nonce {} of {} was consumed by bytes that are not on record", nonce, submitter),
                           subject_of(store_checker_.holder_of(submitter, nonce), submitter));
    }
    // A recycled nonce has no owner, and transactions of other systems are not ours to count.
    if (is_shared) return;
    if (view.next_nonce.value_or(Nonce{}) > count) {
        violations_.report(
            world_.now(), "law 4: no nonce is left unused",
            fmt::format("the cursor of {} is {}, and the chain's count {}", submitter, *view.next_nonce, count),
            subject_of(store_checker_.holder_of(submitter, count), submitter));
    }
    if (faults_.was_used_externally(submitter)) return;
    if (view.status.status != SubmitterStatus::active) {
        violations_.report(world_.now(), "a key is stopped for a reason",
                           fmt::format("{} is {}: {}", submitter, name_of(view.status.status), view.status.reason),
                           submitter);
    }
    if (view.next_nonce.value_or(Nonce{}) != count) {
        violations_.report(world_.now(), "law 2: on record before a byte leaves",
                           fmt::format("the chain counts {} transactions of {}, and the cursor is {}", count, submitter,
                                       view.next_nonce.value_or(Nonce{})),
                           submitter);
    }
}

// An external sender consumed a nonce that we had allocated: the submitter must have been stopped.
void Simulation::check_external_use_detected(const SubmitterId& submitter, Nonce nonce) {
    const auto& all = store_checker_.transactions();
    const auto ours = std::ranges::find_if(
        all, [&](const auto& entry) { return entry.second.submitter == submitter && entry.second.nonce == nonce; });
    if (ours == all.end() || store_checker_.was_protected(submitter)) return;
    violations_.report(
        world_.now(), "external use of a key stops it",
        fmt::format("nonce {} of {} was consumed externally, and the submitter was not stopped", nonce, submitter),
        ours->first);
}

}  // namespace fencepost::sim
