// Callers and operators of a run. Callers ask any node, time out early, retry on another node with the same request id
// and sometimes ask two nodes at once. Operators pause, resume and unprotect submitters, cancel or speed up
// transactions (also after a reorg removed them), and requeue intents whose nonce was taken externally, sometimes too
// early or twice.
#pragma once

#include <deque>
#include <set>

#include "base/async/task_group.hpp"
#include "base/uuid.hpp"
#include "sim/sim_clock.hpp"
#include "sim/simulation/cluster.hpp"
#include "sim/simulation/request_book.hpp"
#include "sim/simulation/settings.hpp"
#include "sim/simulation/store_checker.hpp"
#include "sim/simulation/violation.hpp"

namespace fencepost::sim {

class Clients {
public:
    Clients(World& world, Cluster& cluster, Queries& truth, const Settings& settings,
            std::vector<SubmitterId> submitters, StoreChecker& committed, ViolationRecorder& violations,
            Counts& counts);

    /// Operators stop interfering, and resume whatever is paused or protected.
    void end_fault_phase();
    /// Whether every request has its answer.
    [[nodiscard]] bool all_requests_answered() const;
    [[nodiscard]] const std::deque<Request>& requests() const { return requests_; }

    /// Two contracts that every simulated chain has.
    [[nodiscard]] static Address good_contract();
    [[nodiscard]] static Address bad_contract();

private:
    struct Call;

    [[nodiscard]] Task<void> make_requests();
    [[nodiscard]] Task<void> send_submitter_commands();
    [[nodiscard]] Task<void> send_tx_commands();
    [[nodiscard]] Task<void> send_commands_after_reorgs();
    [[nodiscard]] Task<void> resume_paused();
    void resolve_stuck();
    [[nodiscard]] Task<void> requeue_intents();
    [[nodiscard]] Task<void> call_until_answered(Request* request);
    void send(const std::shared_ptr<Call>& call, Request& request);
    void handle_answer(Request& request, const AcceptAnswer& answer);
    [[nodiscard]] Intent make_intent(std::size_t number);
    void command(CommandKind kind, const SubmitterId& submitter, std::optional<TxId> tx = std::nullopt);
    [[nodiscard]] Duration up_to(Duration most) {
        return Duration(random_.below(static_cast<std::uint64_t>(most.count()) + 1));
    }

    World& world_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    UuidV7Generator ids_;
    Cluster& cluster_;
    Queries& truth_;
    const Settings& settings_;
    std::vector<SubmitterId> submitters_;
    StoreChecker& committed_;
    ViolationRecorder& violations_;
    Counts& counts_;
    bool faults_ended_ = false;
    std::deque<Request> requests_;
    /// Settled transactions that a reorg removed and an operator has seen.
    std::set<TxId> handled_removed_;
};

}  // namespace fencepost::sim
