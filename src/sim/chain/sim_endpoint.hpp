// One RPC endpoint: it has its own mempool and view of the ledger, and every fault an endpoint can have. Tests set its
// switches; the simulator sets fault rates and the switches.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/chain/faults.hpp"
#include "sim/chain/head_wakeups.hpp"
#include "sim/ledger/sim_view.hpp"
#include "sim/mempool/local_tracker.hpp"
#include "sim/mempool/sim_mempool.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

/// The answer to the caller when the pool refuses temporarily: it is full, or the account may have only one transaction
/// in flight.
enum class TemporaryRefusals {
    honest,              // the refusal: geth with --txpool.nolocals, and other clients
    hidden_and_retried,  // success; the endpoint adds it again once a minute, as geth does by default
    hidden,              // success; the endpoint does not keep it
};

/// What an endpoint shows of the transactions in its pool.
enum class PoolDisplay {
    shows,          // by hash also queued ones; the pending count covers pending ones
    hides,          // nothing: a send-only relay, or a node without a pool
    keeps_dropped,  // by hash also those its pool has dropped since (Nethermind)
    counts_gaps,    // the pending count skips gaps (Erigon)
};

/// Where an endpoint delivers the transactions it receives.
enum class Destination {
    pool,
    sequencer,  // to the network's sequencer, whose answer it returns (a replica of the OP stack)
    blocks,     // to the chain at once: the answer waits for the block (Arbitrum)
};

/// Presets for endpoints other than plain geth are in endpoint_kinds.hpp.
struct EndpointOptions {
    std::string name;
    MempoolOptions pool{};
    Latency latency{};
    FaultRates faults{};
    /// Whether miners see its mempool, and whether it exchanges accepted transactions with other endpoints.
    bool feeds_miners = true;
    bool gossips = true;
    TemporaryRefusals temporary_refusals = TemporaryRefusals::honest;
    PoolDisplay display = PoolDisplay::shows;
    Destination destination = Destination::pool;
    /// Time between adding a transaction and promoting it to pending; the pending count lags by as much.
    Duration promotion_delay = std::chrono::milliseconds(1);
    /// With Destination::blocks: how long a send waits for lower nonces.
    Duration gap_timeout = std::chrono::seconds(1);
    /// How many blocks back it can tell which transaction used a nonce; none: without limit.
    std::optional<std::uint64_t> history{};
};

class SimEndpoint {
public:
    SimEndpoint(World& world, const SimLedger& ledger, std::shared_ptr<HeadWakeups> head_wakeups,
                EndpointOptions options);

    [[nodiscard]] const std::string& name() const { return options_.name; }

    // Switches.

    /// No node reaches it. It remains part of the chain's network, and its mempool is mined.
    void set_down(bool down);
    [[nodiscard]] bool is_down() const { return down_; }
    /// Only this node cannot reach it.
    void cut_off(const std::string& node);
    void reconnect(const std::string& node);
    /// Its head stays this many blocks below the ledger's, on the same branch.
    void lag_blocks(std::uint64_t blocks);
    /// It learns everything, including reorgs, this much later.
    void lag_time(Duration duration);
    /// Its head stays where it is now, even when that branch is lost.
    void freeze();
    void thaw();
    /// Faults of the next calls, one entry per call; after that the rates decide.
    void script_sends(std::initializer_list<SendFault> faults);
    void script_reads(std::initializer_list<ReadFault> faults);
    /// Answers this to every transaction without processing it; none: normal operation.
    void refuse_sends(std::optional<Verdict> verdict) { refusal_ = std::move(verdict); }
    [[nodiscard]] EndpointOptions& options() { return options_; }

    // Faults injected so far.

    [[nodiscard]] const std::map<SendFault, std::uint64_t>& send_faults() const { return send_faults_; }
    [[nodiscard]] const std::map<ReadFault, std::uint64_t>& read_faults() const { return read_faults_; }

    // For the network and the nodes' chains.

    [[nodiscard]] bool is_reachable_from(const std::string& node) const;
    [[nodiscard]] SendFault next_send_fault();
    [[nodiscard]] ReadFault next_read_fault();
    /// Counted when the fault takes effect: one drawn when a call leaves may be replaced by a worse one.
    void count(SendFault fault) { ++send_faults_[fault]; }
    void count(ReadFault fault) { ++read_faults_[fault]; }
    [[nodiscard]] Duration draw_latency() { return options_.latency.draw(random_); }

    [[nodiscard]] SimView view() const;
    /// When its head moves next without a change of the ledger; none if it does not.
    [[nodiscard]] std::optional<UnixTime> next_step() const;
    /// Its mempool, without what its view of the chain has made obsolete.
    [[nodiscard]] SimMempool& pool();
    [[nodiscard]] bool remembers(const SimBlock& block) const;
    /// Adds to its own pool and returns the pool's verdict.
    Verdict receive(const WireTx& transaction);
    /// Set while it refuses everything.
    [[nodiscard]] const std::optional<Verdict>& refusal() const { return refusal_; }
    /// The answer to a caller, given the pool's verdict.
    [[nodiscard]] Verdict answer_to(const WireTx& transaction, Verdict verdict);
    /// Promotes queued transactions that have become executable.
    void promote();
    /// Transactions from its callers that it tracks and its pool lacks: to be added again.
    [[nodiscard]] std::vector<WireTx> missing_locals();
    /// The time of the next recheck; none while it tracks nothing.
    [[nodiscard]] std::optional<Instant> next_recheck() const;
    /// Restarts its process: the pool is empty afterwards, but tracked transactions are kept in a file.
    void restart();
    /// The state after everything it shows as pending, in price order.
    [[nodiscard]] const BlockBuilder& pending();

    // What it shows of its pool.

    /// A transaction that is in no block, by its hash.
    [[nodiscard]] SimTxPtr visible(const TxHash& hash);
    [[nodiscard]] SimTxPtr visible_at(const Address& sender, Nonce nonce);
    [[nodiscard]] Nonce visible_count(const Address& sender);

private:
    [[nodiscard]] PoolHead pool_head(const SimView& view) const;

    World& world_;
    const SimLedger& ledger_;
    std::shared_ptr<HeadWakeups> head_wakeups_;
    EndpointOptions options_;
    SeededRandom random_;
    SimMempool pool_;
    std::pair<const SimBlock*, std::shared_ptr<const SimState>> pool_synced_to_{};
    LocalTracker locals_;
    Instant started_at_;
    std::unordered_map<TxHash, SimTxPtr> ever_taken_;  // only with PoolDisplay::keeps_dropped

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
