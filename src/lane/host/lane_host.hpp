// Hosts the lanes of one node: opens them, renews their leases with one statement, and provides what they share. The
// cluster code decides which submitters a node should serve; the lease decides which it may serve.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/async/async_semaphore.hpp"
#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"
#include "lane/bump/policies.hpp"
#include "lane/host/observed_ports.hpp"
#include "lane/host/write_batcher.hpp"
#include "lane/loop/lane.hpp"
#include "lane/track/chain_watch.hpp"
#include "ports/logged_alerts.hpp"
#include "ports/store/leases.hpp"

namespace fencepost::lane {

struct HostOptions {
    Duration lease = std::chrono::seconds(10);
    Duration renew_every = std::chrono::seconds(3);
    /// How much earlier than its lease a lane stops. Affects only that local deadline, never a takeover.
    Duration clock_skew_allowance = std::chrono::seconds(1);
    /// Maximum number of concurrent receipt polls.
    std::size_t receipt_workers = 10;
};

/// The state of a lane in its host.
struct OpenLane {
    SubmitterId submitter;
    /// The lease is held and the lane runs; otherwise it is being opened.
    bool serving = false;
    bool releasing = false;
};

/// A status report of a host.
struct HostReport {
    std::vector<OpenLane> lanes;
    WorkRecord work;
};

class LaneHost {
public:
    struct Dependencies {
        Leases& leases;
        LaneStore& store;
        Commands& commands;
        Headers& headers;
        Signer& signer;
        TransactionBuilder& builder;
        Clock& clock;
        Telemetry& telemetry;
        Log& log;
        /// None: the built-in ones.
        GasBumpPolicy* bump_policy = nullptr;
        StuckPolicy* stuck_policy = nullptr;
        /// None: alerts are written to the log.
        Alerts* alerts = nullptr;
        /// For submitters whose key a signing connector holds.
        SendingConnector* connector = nullptr;
        /// None without shared keys.
        std::optional<SharedKeyDependencies> shared_keys{};
    };

    LaneHost(Executor executor, NodeId node, Dependencies dependencies, HostOptions options = {});
    ~LaneHost();

    /// Before run().
    void add_chain(Chain& chain);

    /// Runs until cancelled. The leases are kept then, as after a crash; release_all() releases them first.
    [[nodiscard]] Task<void> run();

    /// Tries to open the submitter's lane, unless it is open. Returns silently when another node holds the lease.
    void open(const SubmitterId& submitter, const LaneOptions& options);
    /// Notifies the lane of possible new work.
    void wake(const SubmitterId& submitter);
    /// Drains the lane and releases its lease.
    void release(const SubmitterId& submitter);
    /// Releases every lane.
    void release_lanes();
    /// Returns when every lane has been released.
    [[nodiscard]] Task<void> release_all();

    [[nodiscard]] bool is_open(const SubmitterId& submitter) const;
    /// Open, without work or watched transactions: it may be released.
    [[nodiscard]] bool is_idle(const SubmitterId& submitter) const;
    [[nodiscard]] std::vector<OpenLane> open_lanes() const;
    [[nodiscard]] HostReport report() const;
    /// The messages queued in its lanes and writer: bounded by what callers may have in flight.
    [[nodiscard]] std::size_t backlog() const;

private:
    struct Slot;

    [[nodiscard]] Task<void> keep_lane(SubmitterId submitter, LaneOptions options);
    /// From the lease to the end of the lane, which is `reopen` after an exception. None if the lease is not available.
    [[nodiscard]] Task<std::optional<LaneEnd>> open_guarded(SubmitterId submitter, LaneOptions options);
    [[nodiscard]] Task<std::optional<LaneEnd>> open_once(SubmitterId submitter, LaneOptions options);
    [[nodiscard]] Task<std::optional<HeldLease>> open_lease(SubmitterId submitter);
    void note_opening(const LeaseClaim& claim, LeaseResult result);
    [[nodiscard]] Task<LaneEnd> serve(SubmitterId submitter, LaneOptions options, HeldLease lease);
    [[nodiscard]] Task<void> keep_leases();
    /// Renews the leases of all lanes; sets `next` to the time until the next renewal.
    [[nodiscard]] Task<void> renew_guarded(Duration* next);
    [[nodiscard]] Task<void> renew_leases(Duration* next);
    void take_renewal(const LeaseClaim& claim, LeaseResult result, Instant asked);
    [[nodiscard]] Instant local_deadline(Instant asked) const;

    Executor executor_;
    NodeId node_;
    Dependencies dependencies_;
    HostOptions options_;
    AsyncSemaphore receipt_workers_;
    MultiplyFees multiply_fees_;
    AlwaysDecide default_stuck_policy_{StuckDecision::wait};
    LoggedAlerts logged_alerts_;
    ObservedSigner::Records signer_records_;
    ObservedSigner signer_;
    std::optional<ObservedConnector> connector_;
    LaneDependencies world_;
    WriteBatcher writer_;
    std::map<ChainRef, std::unique_ptr<ObservedChain>> chains_;
    std::map<ChainRef, std::unique_ptr<ChainWatch>> watches_;
    std::map<SubmitterId, std::unique_ptr<Slot>> slots_;
    /// The token of the last opening by this node.
    std::map<SubmitterId, FenceToken> last_tokens_;
    Wakeup closed_;
    TaskGroup lanes_;
    TaskGroup helpers_;
};

}  // namespace fencepost::lane
