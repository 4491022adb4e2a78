// The end of a run, when everything has settled: what the store says, what the chain did and what callers were told
// are one and the same.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "domain/transition_table.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/store/at_once.hpp"

namespace fencepost::sim {

// A command to pause may still be on its way; operators see it and resume. A key that was used outside stands still
// until they lift that, too.
bool Simulation::are_active() {
    return std::ranges::all_of(submitters_, [this](const auto& submitter) {
        return at_once(database_.truth().submitter(submitter)).value().status.status == SubmitterStatus::active;
    });
}

// A person must be told why, and it must be true.
void Simulation::check_stop(const DatabaseEvent& event) {
    const auto* committed = std::get_if<Committed>(&event);
    if (committed == nullptr || committed->answer != WriteAnswer::applied) return;
    const auto& submitter = committed->write.submitter;
    const auto& status = committed->write.status;
    if (!status || status->status != SubmitterStatus::protect) return;
    ++counts_["keys stopped"];
    if (faults_.was_used_outside(submitter) && !status->reason.empty()) return;
    judge_.blame(world_.now(), "a key is stopped for a reason", fmt::format("{}: {}", submitter, status->reason));
}

bool Simulation::is_settled() {
    if (!clients_.are_answered() || !are_active()) return false;
    return std::ranges::all_of(store_checker_.transactions(), [](const auto& entry) {
        const auto& tx = entry.second;
        return is_final(tx.position.state) && tx.position.sub != SubState::forked;
    });
}

void Simulation::blame_what_waits() {
    for (const auto& [id, tx] : store_checker_.transactions()) {
        if (is_final(tx.position.state) && tx.position.sub != SubState::forked) continue;
        const auto view = at_once(database_.truth().by_id(id)).value();
        const auto status = at_once(database_.truth().submitter(tx.submitter)).value().status;
        return judge_.blame(world_.now(), "everything settles once nothing goes wrong",
                            fmt::format("still {} ({}); its submitter is {} {}", tx.position, view ? view->error : "",
                                        name_of(status.status), status.reason),
                            id);
    }
    judge_.blame(world_.now(), "everything settles once nothing goes wrong", "a caller still has no answer");
}

void Simulation::check_end() {
    event_checker_.take(at_once(database_.truth().read_after(event_checker_.position(), 1'000'000)).value());
    for (const auto& request : clients_.requests())
        check_promise(request);
    for (const auto& [id, tx] : store_checker_.transactions())
        check_settled(id, tx);
    for (const auto& submitter : submitters_)
        check_nonces(submitter);
}

void Simulation::check_promise(const Request& request) {
    if (!request.acknowledged) return;
    const auto view = at_once(database_.truth().by_request(request.submitter, request.id)).value();
    if (view && view->id == *request.acknowledged && view->intent == request.intent) return;
    judge_.blame(world_.now(), "what was acknowledged is there",
                 fmt::format("{} was acknowledged and is {}", request.id.value(), view ? "another" : "lost"),
                 request.acknowledged);
}

void Simulation::check_settled(TxId id, const KnownTx& tx) {
    const auto blame = [&](std::string law, std::string what) {
        judge_.blame(world_.now(), std::move(law), std::move(what), id);
    };
    const auto view = at_once(database_.truth().by_id(id)).value();
    if (!view) return blame("what was accepted is there", "it is lost");
    if (view->position != tx.position || view->nonce != tx.nonce || view->receipt != tx.receipt) {
        return blame("what was committed is there",
                     fmt::format("committed {}, and {} is there", tx.position, view->position));
    }
    std::size_t executed = 0;
    for (const auto& attempt : tx.attempts) {
        const auto on_chain = network_.ledger().executed(network_.ledger().head(), attempt.hash);
        if (!on_chain) continue;
        ++executed;
        if (tx.receipt != on_chain->receipt()) blame("the store says what the chain did", "another receipt");
    }
    const bool runs = tx.receipt.has_value();
    if (executed != (runs ? 1U : 0U)) {
        blame("the store says what the chain did", fmt::format("{}, and executed {} times", tx.position, executed));
    }
    const auto told = event_checker_.told(id);
    const bool confirmed = tx.position.state == State::confirmed;
    const bool failed = is_final(tx.position.state) && !confirmed;
    if (told.confirmed != (confirmed ? 1U : 0U) || told.failed != (failed ? 1U : 0U)) {
        blame("events tell the verdict once",
              fmt::format("{}, told {} times confirmed and {} times failed", tx.position, told.confirmed, told.failed));
    }
}

// From the first nonce to the cursor each was consumed, by one of ours or by the outsider.
void Simulation::check_nonces(const SubmitterId& submitter) {
    const auto view = at_once(database_.truth().submitter(submitter)).value();
    const auto& head = network_.ledger().head();
    const auto count = head.state->account(*submitter.evm_address()).nonce;
    for (Nonce nonce{}; nonce < count; nonce = Nonce(nonce.value() + 1)) {
        const auto used = network_.ledger().executed(head, *submitter.evm_address(), nonce);
        const auto& hash = used->transaction->hash;
        if (store_checker_.owner_of(hash) || faults_.is_outsiders(hash)) continue;
        judge_.blame(world_.now(), "law 2: on record before a byte leaves",
                     fmt::format("nonce {} of {} was consumed by bytes that nobody has on record", nonce, submitter));
    }
    if (faults_.was_used_outside(submitter)) return;
    if (view.status.status != SubmitterStatus::active) {
        judge_.blame(world_.now(), "a key is stopped for a reason",
                     fmt::format("{} is {}: {}", submitter, name_of(view.status.status), view.status.reason));
    }
    if (view.next_nonce.value_or(Nonce{}) != count) {
        judge_.blame(world_.now(), "law 4: no nonce is left unused",
                     fmt::format("the cursor of {} is {}, and the chain's count {}", submitter,
                                 view.next_nonce.value_or(Nonce{}), count));
    }
}

}  // namespace fencepost::sim
