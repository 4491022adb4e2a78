#include "sim/simulation/clients.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include "base/async/wakeup.hpp"
#include "sim/store/run_now.hpp"

namespace fencepost::sim {

using namespace std::chrono_literals;

/// One call, possibly sent to two nodes. Pending replies share it.
struct Clients::Call {
    explicit Call(const fencepost::Executor& executor) : bell(executor) {}
    Wakeup bell;
    bool answered = false;
};

Clients::Clients(World& world, Cluster& cluster, Queries& truth, const Settings& settings,
                 std::vector<SubmitterId> submitters, StoreChecker& committed, ViolationRecorder& violations,
                 Counts& counts)
    : world_(world),
      process_(world.start_node("clients")),
      clock_(process_),
      random_(world.random().fork()),
      cluster_(cluster),
      truth_(truth),
      settings_(settings),
      submitters_(std::move(submitters)),
      committed_(committed),
      violations_(violations),
      counts_(counts) {
    world_.spawn(process_, make_requests());
    if (settings.workload.submitter_command_pause != Duration{}) world_.spawn(process_, send_submitter_commands());
    if (settings.workload.tx_command_pause != Duration{}) world_.spawn(process_, send_tx_commands());
    if (settings.workload.tx_command_pause != Duration{}) world_.spawn(process_, send_commands_after_reorgs());
    const bool others_use_keys =
        settings.faults.external_use != Duration{} || settings.faults.other_system != Duration{};
    if (others_use_keys) world_.spawn(process_, requeue_intents());
}

Address Clients::good_contract() { return Address::parse("0x00000000000000000000000000000000000000c1").value(); }
Address Clients::bad_contract() { return Address::parse("0x00000000000000000000000000000000000000c2").value(); }

Task<void> Clients::make_requests() {
    while (requests_.size() < settings_.workload.requests) {
        const auto submitter = submitters_[random_.below(submitters_.size())];
        for (std::size_t i = 0; i < settings_.workload.burst && requests_.size() < settings_.workload.requests; ++i) {
            const auto number = requests_.size();
            requests_.push_back({.submitter = submitter,
                                 .id = RequestId(fmt::format("request-{}", number)),
                                 .intent = make_intent(number)});
            world_.spawn(process_, call_until_answered(&requests_.back()));
        }
        co_await clock_.sleep_for(up_to(2 * settings_.workload.pause));
    }
}

// Each intent has a distinct value, by which the checkers identify it.
Intent Clients::make_intent(std::size_t number) {
    Intent intent{.to = "0x00000000000000000000000000000000000000aa", .value = Wei(Uint256(number + 1))};
    if (random_.below(100) < settings_.workload.reverting_percent) {
        intent.to = bad_contract().to_lower();
        // Without a gas limit of the caller's own it is simulated first, and never sent.
        if (random_.one_in(2)) intent.gas_limit = Gas(100'000);
    } else if (random_.one_in(4)) {
        intent.to = good_contract().to_lower();
        intent.data = Bytes(random_.below(40), 0x11);
    }
    if (random_.one_in(20)) intent.valid_until = world_.unix_now() + std::chrono::seconds(random_.below(60));
    // Below the intrinsic gas. Drawn only when enabled, so that the other draws of a seed do not change.
    if (settings_.workload.refused_percent > 0 && random_.below(100) < settings_.workload.refused_percent)
        intent.gas_limit = Gas(20'000);
    constexpr std::array speeds{Speed::slow, Speed::normal, Speed::fast};
    intent.fee = speeds.at(random_.below(speeds.size()));
    return intent;
}

Task<void> Clients::call_until_answered(Request* request) {
    while (!request->is_answered()) {
        const auto call = std::make_shared<Call>(fencepost::Executor(process_.executor()));
        send(call, *request);
        if (random_.below(100) < settings_.workload.duplicated_percent) {
            ++counts_["requests sent to two nodes"];
            send(call, *request);
        }
        const auto deadline = clock_.monotonic() + settings_.workload.answer_timeout;
        while (clock_.monotonic() < deadline && !call->answered)
            co_await clock_.wait_until(&call->bell, deadline);
        if (request->is_answered()) co_return;
        ++counts_["requests retried"];
        co_await clock_.sleep_for(up_to(2s));
    }
}

// A late answer counts too, even when the caller has already asked another node.
void Clients::send(const std::shared_ptr<Call>& call, Request& request) {
    auto* node = cluster_.random_node(random_);
    if (node == nullptr) return;  // no live node: the caller will time out
    ++request.under_way;
    const fencepost::Executor executor(process_.executor());
    NewIntent intent{.id = TxId(ids_.next(world_.unix_now(), random_.bits())),
                     .submitter = request.submitter,
                     .request = request.id,
                     .intent = request.intent};
    node->offer(std::move(intent),
                [this, executor, call, asked = &request](const Result<AcceptAnswer, StoreError>& answer) {
                    asio::post(executor, [this, call, asked, answer] {
                        if (answer) handle_answer(*asked, *answer);
                        call->answered = true;
                        call->bell.notify();
                    });
                });
}

void Clients::handle_answer(Request& request, const AcceptAnswer& answer) {
    --request.under_way;
    switch (answer.kind) {
        case AcceptKind::accepted:
        case AcceptKind::same_again:
            if (request.acknowledged && *request.acknowledged != answer.id) {
                violations_.report(world_.now(), "a request is one transaction",
                                   fmt::format("{} was acknowledged under two ids", request.id.value()), answer.id);
            }
            request.acknowledged = answer.id;
            request.refused = false;
            return;
        case AcceptKind::submitter_protected:
            request.refused = !request.acknowledged && request.under_way == 0;
            return;
        case AcceptKind::submitter_paused:
            return;  // asked again later
        case AcceptKind::other_body:
        case AcceptKind::invalid:
            violations_.report(world_.now(), "a request is one transaction",
                               fmt::format("{} was answered {}", request.id.value(), name_of(answer.kind)), answer.id);
    }
}

Task<void> Clients::send_submitter_commands() {
    while (!faults_ended_) {
        co_await clock_.sleep_for(up_to(2 * settings_.workload.submitter_command_pause));
        if (faults_ended_) co_return;
        const auto& submitter = submitters_[random_.below(submitters_.size())];
        constexpr std::array kinds{CommandKind::pause, CommandKind::resume, CommandKind::unprotect,
                                   CommandKind::reconcile};
        command(kinds.at(random_.below(kinds.size())), submitter);
    }
}

// Picks recent requests: old ones are settled.
Task<void> Clients::send_tx_commands() {
    while (!faults_ended_) {
        co_await clock_.sleep_for(up_to(2 * settings_.workload.tx_command_pause));
        if (faults_ended_ || requests_.empty()) continue;
        const auto back = random_.below(std::min<std::size_t>(requests_.size(), 8)) + 1;
        const auto& request = requests_[requests_.size() - back];
        if (!request.acknowledged) continue;
        constexpr std::array kinds{CommandKind::cancel, CommandKind::speed_up, CommandKind::resubmit};
        command(kinds.at(random_.below(kinds.size())), request.submitter, request.acknowledged);
    }
}

// A settled transaction that a reorg removed: until it is mined again an operator may help it or revoke its verdict.
// Nothing is drawn when there is none, so that the other draws of a seed do not change.
Task<void> Clients::send_commands_after_reorgs() {
    while (!faults_ended_) {
        co_await clock_.sleep_for(500ms);
        for (const auto& [id, tx] : committed_.transactions()) {
            if (faults_ended_ || !is_removed(tx.position) || !handled_removed_.insert(id).second) continue;
            constexpr std::array kinds{CommandKind::cancel, CommandKind::speed_up, CommandKind::resubmit};
            const auto kind = kinds.at(random_.below(kinds.size()));
            ++counts_[fmt::format("settled, removed by a reorg: {}", name_of(kind))];
            command(kind, tx.submitter, id);
        }
    }
}

void Clients::command(CommandKind kind, const SubmitterId& submitter, std::optional<TxId> tx) {
    auto* node = cluster_.random_node(random_);
    if (node == nullptr) return;
    ++counts_[fmt::format("commands to {}", name_of(kind))];
    if (kind == CommandKind::cancel && tx) committed_.note_cancel(*tx);
    node->post({.submitter = submitter, .kind = kind, .tx = tx, .requested_by = "operator", .reason = "drawn"});
}

void Clients::end_fault_phase() {
    faults_ended_ = true;
    world_.spawn(process_, resume_paused());
}

// Repeats until the run ends: a pause command may arrive after the storm, and an unprotect is refused while an external
// transaction may still be mined.
Task<void> Clients::resume_paused() {
    while (true) {
        for (const auto& submitter : submitters_) {
            const auto status = run_now(truth_.submitter(submitter)).value().status.status;
            if (status == SubmitterStatus::paused) command(CommandKind::resume, submitter);
            if (status == SubmitterStatus::protect) command(CommandKind::unprotect, submitter);
        }
        resolve_stuck();
        co_await clock_.sleep_for(30s);
    }
}

// A transaction that was handed to an operator waits for the operator's command.
void Clients::resolve_stuck() {
    if (settings_.stuck_decision != StuckDecision::hand_to_person) return;
    for (const auto& tx : run_now(truth_.list({.state = State::stuck, .limit = 1'000})).value()) {
        if (tx.position.sub != SubState::nonce_taken) command(CommandKind::speed_up, tx.submitter, tx.id);
    }
}

// Continues after the storm, because every intent must be executed. A requeue before the external transaction is final
// is refused.
Task<void> Clients::requeue_intents() {
    while (true) {
        co_await clock_.sleep_for(up_to(40s));
        for (const auto state : {State::stuck, State::failed_final}) {
            for (const auto& tx : run_now(truth_.list({.state = state, .limit = 1'000})).value()) {
                if (tx.position.sub != SubState::nonce_taken || tx.requeued_as) continue;
                command(CommandKind::requeue, tx.submitter, tx.id);
                if (random_.one_in(3)) command(CommandKind::requeue, tx.submitter, tx.id);
            }
        }
    }
}

bool Clients::all_requests_answered() const {
    return requests_.size() == settings_.workload.requests && std::ranges::all_of(requests_, &Request::is_answered);
}

}  // namespace fencepost::sim
