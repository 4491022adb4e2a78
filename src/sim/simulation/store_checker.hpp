// Observes the database: every commit of every node is checked against the laws and against an independent copy of what
// was committed before. Only writes count, not what nodes hold in memory.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/tx/transaction.hpp"
#include "lane/loop/lane_options.hpp"
#include "sim/simulation/chain_checker.hpp"
#include "sim/simulation/violation.hpp"
#include "sim/store/sim_database.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

/// A transaction as its commits describe it.
struct KnownTx {
    SubmitterId submitter;
    Intent intent;
    Position position{};
    std::optional<Nonce> nonce{};
    std::vector<Attempt> attempts{};
    std::vector<ClaimedSend> claims{};
    std::optional<Receipt> receipt{};
    Abandonment abandonment = Abandonment::none;
    /// Its intent was requeued as another transaction.
    bool is_requeued = false;
    /// The names of its events.
    std::vector<std::string> events{};
    /// By the world's clock, with which no clock of a node or of the database need agree.
    Instant accepted_at{};
    Instant allocated_at{};
};

class StoreChecker {
public:
    StoreChecker(World& world, const ChainChecker& chain, const lane::LaneOptions& promised,
                 ViolationRecorder& violations);

    void see(const DatabaseEvent& event);
    /// An operator requested its cancellation; the command may arrive or get lost.
    void note_cancel(TxId id) { cancels_.insert(id); }

    /// The transaction with a committed attempt of this hash.
    [[nodiscard]] std::optional<TxId> owner_of(const TxHash& hash) const;
    /// The transaction that has this nonce now; a recycled nonce may have had several.
    [[nodiscard]] std::optional<TxId> holder_of(const SubmitterId& submitter, Nonce nonce) const;
    [[nodiscard]] const std::map<TxId, KnownTx>& transactions() const { return transactions_; }
    [[nodiscard]] std::uint64_t commits() const { return commits_; }
    [[nodiscard]] bool was_protected(const SubmitterId& submitter) const;

private:
    struct Known {
        std::optional<Nonce> next{};
        FenceToken highest_token{};
        UnixTime opened_at{};
        bool was_protected = false;
        std::map<Nonce, TxId> nonces{};
    };

    void see(const Accepted& accepted);
    void see(const Opened& opened);
    void see(const Committed& committed);
    void see(const Renewed& renewed);
    void see(const Released& released);

    void check_fence(const Committed& committed);
    [[nodiscard]] bool was_used_externally(const SubmitterId& submitter, Nonce nonce) const;
    void check_cursor(const LaneWrite& write, Known& known);
    void check_shared_cursor(const LaneWrite& write, Known& known, const std::set<Nonce>& nonces);
    void apply_recycled_nonces(const LaneWrite& write, Known& known);
    void take(const LaneWrite& write, const TxUpdate& update, Known& known);
    void check_time_out(TxId id, const KnownTx& tx, const TxUpdate& update);
    void check_revocation(const LaneWrite& write, const TxUpdate& update, const KnownTx& tx);
    void apply_requeue(TxId id, KnownTx& tx);
    void apply_attempt(TxId id, KnownTx& tx, const Attempt& attempt);
    void apply_claim(TxId id, KnownTx& tx, const ClaimedSend& claim);
    void check_kind(TxId id, const KnownTx& tx, AttemptKind kind);
    void check_bytes(TxId id, const KnownTx& tx, const Attempt& attempt);
    void check_fees(TxId id, const KnownTx& tx, AttemptKind kind, const Fees& fees);
    void apply_receipt(TxId id, KnownTx& tx, const TxUpdate& update);
    void check_claimed_fields(TxId id, const KnownTx& tx, const SimBlock& block, const TxHash& hash);
    void check_verdict(TxId id, const KnownTx& tx);
    void check_verdict_without_receipt(TxId id, const KnownTx& tx);
    void check_mined_attempt(TxId id, const KnownTx& tx);
    void check_window(const SubmitterId& submitter, const Known& known);
    void check_window(const LaneWrite& write, const Known& known);
    void report(std::string law, std::string what, Subject subject);

    World& world_;
    const ChainChecker& chain_;
    TxCache cache_;
    lane::LaneOptions promised_;
    ViolationRecorder& violations_;
    std::uint64_t commits_ = 0;
    std::map<SubmitterId, Known> submitters_;
    std::map<TxId, KnownTx> transactions_;
    std::set<TxId> cancels_;
    std::map<std::pair<SubmitterId, RequestId>, TxId> requests_;
    std::unordered_map<TxHash, TxId> by_hash_;
};

}  // namespace fencepost::sim
