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
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/chain/faults.hpp"
#include "sim/chain/head_bells.hpp"
#include "sim/ledger/sim_view.hpp"
#include "sim/mempool/local_tracker.hpp"
#include "sim/mempool/sim_mempool.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

/// What the caller is told when the pool refuses for now: it is full, or the account may have one in flight only.
enum class TemporaryRefusals {
    honest,              // the refusal: geth with --txpool.nolocals, and other clients
    hidden_and_retried,  // success, as geth does by default: it remembers it and adds it again once a minute
    hidden,              // success, and nobody remembers it
};

/// What an endpoint shows of what waits there.
enum class PoolDisplay {
    shows,          // by hash also what is queued, in the pending count what is pending
    hides,          // nothing: a relay that only sends, or a node without a pool
    keeps_dropped,  // by hash also what its pool has dropped since (Nethermind)
    counts_gaps,    // the pending count goes past what is missing (Erigon)
};

/// Where the transactions go that it is sent.
enum class Destination {
    pool,
    sequencer,  // to the network's sequencer, whose answer it passes on (a replica of the OP stack)
    blocks,     // to the chain at once: the answer waits for the block (Arbitrum)
};

/// Kinds that are not a plain geth are in endpoint_kinds.hpp.
struct EndpointOptions {
    std::string name;
    MempoolOptions pool{};
    Latency latency{};
    FaultRates faults{};
    /// Whether miners see its mempool, and whether it tells other endpoints what it accepted and listens to them.
    bool feeds_miners = true;
    bool gossips = true;
    TemporaryRefusals temporary_refusals = TemporaryRefusals::honest;
    PoolDisplay display = PoolDisplay::shows;
    Destination destination = Destination::pool;
    /// From an addition until its pool has sorted out what can be mined; the pending count lags by that much.
    Duration promotion_delay = std::chrono::milliseconds(1);
    /// With Destination::blocks: so long a send waits for those before it.
    Duration nonce_patience = std::chrono::seconds(1);
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
    /// Into its pool; the verdict is the pool's own.
    Verdict receive(const WireTx& transaction);
    /// Why it takes nothing from anybody, if so.
    [[nodiscard]] const std::optional<Verdict>& refusal() const { return refusal_; }
    /// What a caller hears of the pool's verdict on what it sent.
    [[nodiscard]] Verdict answer_to(const WireTx& transaction, Verdict verdict);
    /// Sorts out what can be mined of what was added.
    void promote();
    /// What its callers sent, it remembers, and its pool lacks: to be added again.
    [[nodiscard]] std::vector<WireTx> missing_locals();
    /// When that is done the next time; none while there is nothing.
    [[nodiscard]] std::optional<Instant> next_recheck() const;
    /// Its process ends and starts again: the pool is empty, but what its callers sent is remembered in a file.
    void restart();
    /// The state after everything that it shows as pending, in the order of price.
    [[nodiscard]] const BlockBuilder& pending();

    // What it shows of its pool.

    /// A transaction that is in no block, by its hash.
    [[nodiscard]] SimTxPtr shown(const TxHash& hash);
    [[nodiscard]] SimTxPtr shown_at(const Address& sender, Nonce nonce);
    [[nodiscard]] Nonce shown_count(const Address& sender);

private:
    [[nodiscard]] PoolHead pool_head(const SimView& view) const;

    World& world_;
    const SimLedger& ledger_;
    std::shared_ptr<HeadBells> bells_;
    EndpointOptions options_;
    SeededRandom random_;
    SimMempool pool_;
    std::pair<const SimBlock*, std::shared_ptr<const SimState>> pool_synced_to_{};
    LocalTracker locals_;
    Instant started_at_;
    std::unordered_map<TxHash, SimTxPtr> ever_taken_;  // only where it is shown

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
