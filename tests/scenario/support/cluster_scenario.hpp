// The scenario's world with real cluster nodes: each decides which lanes to open.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster_node.hpp"
#include "lane/host/lane_shards.hpp"
#include "sim/sim_wakeups.hpp"
#include "support/faulty_registry.hpp"
#include "support/lane_scenario.hpp"

namespace fencepost::scenario {

struct MemberOptions {
    cluster::ClusterOptions cluster{};
    bool has_keys = true;
};

/// One process, with its lanes on two shards.
class Member {
public:
    Member(class ClusterScenario& scenario, sim::SimNode& process, const MemberOptions& options);

    [[nodiscard]] const NodeId& id() const { return id_; }
    [[nodiscard]] sim::SimNode& process() { return process_; }
    [[nodiscard]] FaultyStore& store() { return store_; }
    [[nodiscard]] FaultyChain& chain() { return chain_; }
    [[nodiscard]] FaultyRegistry& records() { return register_; }
    [[nodiscard]] NodeSigner& signer() { return signer_; }
    [[nodiscard]] const NodeAbility& ability() const { return cluster_.ability(); }

    /// Submits an intent; it is made durable, and the cluster is notified.
    void accept(NewIntent intent);
    [[nodiscard]] const std::vector<AcceptAnswer>& answers() const { return answers_; }

    /// Whether it considers itself the submitter's node.
    [[nodiscard]] bool is_home_of(const SubmitterId& submitter) const { return cluster_.is_home_of(submitter); }
    void leave();
    [[nodiscard]] bool has_left() const { return has_left_; }
    /// Neither reads nor writes reach the database.
    void cut_off(bool cut);

private:
    [[nodiscard]] Task<void> run();
    [[nodiscard]] Task<void> make_durable(NewIntent intent);
    [[nodiscard]] Task<void> depart();

    NodeId id_;
    sim::SimNode& process_;
    store::SqliteStore& intake_;
    sim::SimClock clock_;
    FaultyChain chain_;
    FaultyStore store_;
    FaultyRegistry register_;
    HookedBuilder builder_;
    NodeSigner signer_;
    sim::SimWakeups wakeups_;
    std::vector<AcceptAnswer> answers_;
    bool has_left_ = false;
    lane::LaneHost first_host_;
    lane::LaneHost second_host_;
    lane::LaneShards shards_;
    cluster::ClusterNode cluster_;
    TaskGroup tasks_;
};

class ClusterScenario : public LaneScenario {
public:
    /// With `count` submitters, each with funds.
    explicit ClusterScenario(std::size_t count = 12, Setup setup_in = {});
    ~ClusterScenario();

    /// A new process of this name.
    Member& join(const std::string& name, const MemberOptions& options = {});
    /// Several nodes that know each other.
    std::vector<Member*> join_all(const std::vector<std::string>& names);
    void kill(Member& member) { world.kill(member.process()); }
    /// Cuts this node off from all endpoints: neither heads nor answers nor sends.
    void cut_from_chain(Member& member, bool cut = true);

    [[nodiscard]] NewIntent intent(const SubmitterId& from, std::optional<std::string> request = {});
    /// One intent per submitter, submitted to this node.
    void accept_for_all(Member& at);
    /// An intent every 100 ms, each at another node and for another submitter.
    void keep_accepting(std::vector<Member*> at, Duration duration);

    /// The holder of the unexpired lease, by the database.
    [[nodiscard]] std::optional<NodeId> owner(const SubmitterId& submitter) const;
    /// How many of the submitters it owns.
    [[nodiscard]] std::size_t owned_by(const Member& member) const;
    [[nodiscard]] FenceToken token(const SubmitterId& id) const { return submitter(id).lease.value().token; }
    /// When this transaction was first sent.
    [[nodiscard]] std::optional<Instant> first_sent(TxId id);
    [[nodiscard]] NodeId placed_on(const SubmitterId& submitter, const std::vector<Member*>& members) const;

    std::vector<SubmitterId> submitters;
    /// Alerts of the cluster nodes.
    std::vector<Alert> cluster_alerts;
    sim::WakeupHub wakeups{world};

private:
    friend class Member;
    class KeptAlerts final : public Alerts {
    public:
        explicit KeptAlerts(std::vector<Alert>& kept) : kept_(kept) {}
        void raise(Alert alert) override { kept_.push_back(std::move(alert)); }

    private:
        std::vector<Alert>& kept_;
    };

    KeptAlerts alerts_{cluster_alerts};

    sim::SeededRandom random_;
    UuidV7Generator ids_;
    std::uint64_t handed_in_ = 0;
    std::deque<std::unique_ptr<Member>> members_;
};

}  // namespace fencepost::scenario
