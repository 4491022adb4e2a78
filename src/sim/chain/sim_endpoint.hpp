// One RPC endpoint: a mempool and a view of the ledger of its own, and everything that can be wrong with it. Tests turn
// the switches; the simulator sets rates and turns them, too.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sim/chain/faults.hpp"
#include "sim/chain/head_bells.hpp"
#include "sim/chain/sim_mempool.hpp"
#include "sim/chain/sim_view.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

struct EndpointOptions {
    std::string name;
    MempoolOptions pool{};
    Latency latency{};
    FaultRates faults{};
    /// Whether miners see its mempool, and whether it tells other endpoints what it accepted and listens to them.
    bool feeds_miners = true;
    bool gossips = true;
    /// Who used a nonce longer than so many blocks ago it cannot tell; none: it can always.
    std::optional<std::uint64_t> history{};
};

class SimEndpoint {
public:
    SimEndpoint(World& world, const SimLedger& ledger, std::shared_ptr<HeadBells> bells, EndpointOptions options);

    [[nodiscard]] const std::string& name() const { return options_.name; }

    // Switches.

    /// Nobody reaches it. It is a node of the chain's network all the same, and its mempool is mined.
    void set_down(bool down);
    [[nodiscard]] bool is_down() const { return down_; }
    /// This node alone does not reach it.
    void cut_off(const std::string& node);
    void reconnect(const std::string& node);
    /// Its head stands so many blocks below the ledger's, on the same branch.
    void lag_blocks(std::uint64_t blocks);
    /// It hears of everything so much later; of a reorg, too.
    void lag_time(Duration duration);
    /// Its head stays where it is now, also when that branch is lost.
    void freeze();
    void thaw();
    /// The next calls go wrong like this, one entry a call; after that the rates decide.
    void script_sends(std::initializer_list<SendFault> faults);
    void script_reads(std::initializer_list<ReadFault> faults);
    /// Answers this to every transaction, without looking at it, until told otherwise.
    void refuse_sends(std::optional<Verdict> verdict) { refusal_ = std::move(verdict); }
    [[nodiscard]] EndpointOptions& options() { return options_; }

    // What it did to its callers so far.

    [[nodiscard]] const std::map<SendFault, std::uint64_t>& send_faults() const { return send_faults_; }
    [[nodiscard]] const std::map<ReadFault, std::uint64_t>& read_faults() const { return read_faults_; }

    // What the network and the nodes' chains do with it.

    [[nodiscard]] bool is_reachable_from(const std::string& node) const;
    [[nodiscard]] SendFault next_send_fault();
    [[nodiscard]] ReadFault next_read_fault();
    /// A fault is drawn when a call leaves and may be overtaken by a worse one: it is counted when it takes effect.
    void count(SendFault fault) { ++send_faults_[fault]; }
    void count(ReadFault fault) { ++read_faults_[fault]; }
    [[nodiscard]] Duration draw_latency() { return options_.latency.draw(random_); }

    [[nodiscard]] SimView view() const;
    /// When its head will move without anything happening on the ledger; none if it will not.
    [[nodiscard]] std::optional<UnixTime> next_step() const;
    /// Its mempool, rid of what its view has overtaken.
    [[nodiscard]] SimMempool& pool();
    [[nodiscard]] bool remembers(const SimBlock& block) const;
    Verdict receive(const WireTx& transaction);
    /// The state after everything that could be mined of its mempool now, in the order of price.
    [[nodiscard]] const BlockBuilder& pending();

private:
    World& world_;
    const SimLedger& ledger_;
    std::shared_ptr<HeadBells> bells_;
    EndpointOptions options_;
    SeededRandom random_;
    SimMempool pool_;
    std::shared_ptr<const SimState> pool_synced_to_;

    bool down_ = false;
    std::set<std::string> cut_off_;
    std::uint64_t lag_blocks_ = 0;
    Duration lag_time_{};
    const SimBlock* frozen_ = nullptr;
    std::deque<SendFault> send_script_;
    std::deque<ReadFault> read_script_;
    std::optional<Verdict> refusal_;
    std::map<SendFault, std::uint64_t> send_faults_;
    std::map<ReadFault, std::uint64_t> read_faults_;

    struct Pending {
        const SimBlock* head;
        std::uint64_t revision;
        std::shared_ptr<const SimState> state;
        BlockBuilder builder;
    };
    std::optional<Pending> pending_;
};

}  // namespace fencepost::sim
