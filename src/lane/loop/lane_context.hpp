// The context of every lane step: the ports, and the lane's inbox and background tasks. The steps are free functions
// over this and the lane's memory, one file each, so that the file listing shows the life of a transaction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/async/async_semaphore.hpp"
#include "base/async/task_group.hpp"
#include "lane/allocate/nonce_supply.hpp"
#include "lane/host/held_lease.hpp"
#include "lane/loop/lane_options.hpp"
#include "lane/loop/messages.hpp"
#include "lane/loop/retry.hpp"
#include "lane/prepare/builder.hpp"
#include "lane/track/chain_watch.hpp"
#include "ports/alerts.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/gas_bump_policy.hpp"
#include "ports/log.hpp"
#include "ports/signer.hpp"
#include "ports/store/commands.hpp"
#include "ports/store/intake.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/relaxed_nonces.hpp"
#include "ports/stuck_policy.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::lane {

/// Ports that only lanes of shared keys need.
struct SharedKeyDependencies {
    RelaxedNonces& nonces;
    Intake& intake;
    Alerts& alerts;
};

/// What the lanes of a node share.
struct LaneDependencies {
    LaneStore& store;
    Commands& commands;
    Signer& signer;
    TransactionBuilder& builder;
    Clock& clock;
    Telemetry& telemetry;
    Log& log;
    Alerts& alerts;
    /// Limits concurrent receipt polls (`receiptWorkers`).
    AsyncSemaphore& receipt_workers;
    GasBumpPolicy& bump_policy;
    StuckPolicy& stuck_policy;
    /// None: all keys are signed for locally.
    SendingConnector* connector = nullptr;
    /// None without shared keys.
    std::optional<SharedKeyDependencies> shared_keys{};
};

/// Runs a background task. Ports do not throw, so an exception is a bug, for example in a builder.
[[nodiscard]] Task<void> guarded(Inbox* inbox, Log* log, std::string_view submitter, Task<void> task);

struct LaneContext {
    const SubmitterId submitter;
    const LaneOptions options;
    LaneDependencies& world;
    ChainWatch& watch;
    HeldLease& lease;
    Inbox& inbox;
    TaskGroup& tasks;
    ChainListener& listener;
    NonceSupply& nonces;
    /// The submitter as text, for logs and metrics.
    const std::string name = submitter.to_string();

    /// Starts a background task. If it fails without its report, the lane is reopened: it would wait for the report
    /// forever.
    void spawn(Task<void> task) { tasks.spawn(guarded(&inbox, &world.log, name, std::move(task))); }

    /// The signing connector of this submitter; none if it is signed for locally.
    [[nodiscard]] SendingConnector* connector() const {
        return world.connector != nullptr && world.connector->sends_for(submitter) ? world.connector : nullptr;
    }
    [[nodiscard]] Chain& chain() const { return watch.chain(); }
    [[nodiscard]] Instant now() const { return world.clock.monotonic(); }
    [[nodiscard]] bool may_act() const { return lease.holds(now()); }
    [[nodiscard]] UnixTime node_time() const { return world.clock.unix_now(); }
    /// The query gave no answer: schedules a retry.
    void retry(Retry& question) const {
        question.failed(now(), [this](std::uint32_t failures) { return backoff(failures); });
    }
    /// The settings for decisions about single transactions.
    [[nodiscard]] TxRules rules() const {
        return {.resubmit = options.resubmit,
                .bump = options.bump,
                .transaction_timeout = options.transaction_timeout,
                .fail_on_timeout = options.fail_on_timeout,
                .refusal_rounds = options.refusal_rounds};
    }
    /// The interval between two resends: 1, 2, 4 and then always 8 times the configured one.
    [[nodiscard]] Duration resubmit_pause(std::uint32_t resends) const {
        return options.resubmit_interval * (1U << std::min(resends, 3U));
    }
    /// 1, 2, 4… seconds, by the number of consecutive failures, up to the configured maximum.
    [[nodiscard]] Duration backoff(std::uint32_t failures) const {
        const Duration grown = std::chrono::seconds(1) * (1U << std::min(failures, 20U));
        return std::min(grown / 2, options.max_backoff);
    }
};

}  // namespace fencepost::lane
