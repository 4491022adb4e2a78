// Read-only queries for the API and the CLI. Any node answers, possibly with slightly old data; no decision is based on
// them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/intent.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/attempt.hpp"
#include "domain/tx/history.hpp"
#include "domain/tx/receipt.hpp"
#include "domain/tx/transaction.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

struct TxView {
    TxId id;
    SubmitterId submitter;
    std::optional<RequestId> request;
    AcceptSequence sequence;
    Intent intent;
    Position position;
    Abandonment abandonment = Abandonment::none;
    std::optional<Nonce> nonce;
    std::optional<TxHash> hash;  // of the mined attempt, else of the latest
    std::uint32_t submit_attempts = 0;
    std::optional<UnixTime> first_submit_at;
    std::optional<UnixTime> last_submit_at;
    std::optional<UnixTime> next_action_at;
    std::optional<UnixTime> last_receipt_check;
    std::optional<Receipt> receipt;
    std::optional<UnixTime> confirmed_at;
    std::string error;
    std::optional<FenceToken> fencing_token;  // of the last write
    UnixTime created_at;
    UnixTime updated_at;
    /// Requeue links: the transaction whose nonce was lost and that this one replaces, and the one that replaces this
    /// one.
    std::optional<TxId> requeued_from{};
    std::optional<TxId> requeued_as{};

    [[nodiscard]] bool needs_operator() const { return fencepost::needs_operator(position); }
};

/// By acceptance.
enum class ListOrder { oldest_first, newest_first };

struct TxFilter {
    std::optional<SubmitterId> submitter{};
    std::optional<State> state{};
    ListOrder order = ListOrder::oldest_first;
    /// Only transactions after this one, in that order.
    std::optional<AcceptSequence> after{};
    std::size_t limit = 100;
};

struct HistoryEntry {
    HistoryStep step;
    NodeId node;
    std::optional<FenceToken> token;  // none for steps without a fence
    std::uint32_t times = 1;
    UnixTime first_at;
    UnixTime last_at;
};

struct SubmitterView {
    /// A transaction whose nonce is allocated and not known to be consumed.
    struct InFlight {
        TxId tx;
        Nonce nonce;
        friend bool operator==(const InFlight&, const InFlight&) = default;
    };
    /// The unsettled transaction that was accepted first.
    struct Oldest {
        TxId tx;
        UnixTime created_at;
        friend bool operator==(const Oldest&, const Oldest&) = default;
    };

    std::optional<Nonce> next_nonce{};
    /// As last written by the lane, and since when; none before the first write.
    std::optional<WindowState> window{};
    std::optional<UnixTime> window_since{};
    StatusChange status{};
    /// When it was set; none if it never was.
    std::optional<UnixTime> status_since{};
    std::optional<Lease> lease{};
    /// Whether that lease is unexpired, by database time.
    bool held = false;
    std::map<State, std::uint64_t> counts{};
    /// By nonce (holds_unconsumed_nonce in domain/transaction_state.hpp).
    std::vector<InFlight> in_flight{};
    std::optional<Oldest> oldest_pending{};
};

/// A submitter whose lane has work.
struct UnfinishedSubmitter {
    SubmitterId submitter;
    /// The row, also if it has expired or been released.
    std::optional<Lease> lease{};
    /// Whether that lease is unexpired, by database time.
    bool held = false;
};

class Queries {
public:
    virtual ~Queries() = default;

    [[nodiscard]] virtual Task<Result<std::optional<TxView>, StoreError>> by_id(TxId id) = 0;
    [[nodiscard]] virtual Task<Result<std::optional<TxView>, StoreError>> by_request(SubmitterId submitter,
                                                                                     RequestId request) = 0;
    /// By the hash of any of its attempts.
    [[nodiscard]] virtual Task<Result<std::optional<TxView>, StoreError>> by_hash(TxHash hash) = 0;
    [[nodiscard]] virtual Task<Result<std::vector<TxView>, StoreError>> list(TxFilter filter) = 0;
    [[nodiscard]] virtual Task<Result<std::vector<Attempt>, StoreError>> attempts(TxId id) = 0;
    [[nodiscard]] virtual Task<Result<std::vector<HistoryEntry>, StoreError>> history(TxId id) = 0;
    /// The list stored at settlement; empty before that (it is derived from the headers).
    [[nodiscard]] virtual Task<Result<std::vector<BlockRef>, StoreError>> stored_confirmations(TxId id) = 0;
    [[nodiscard]] virtual Task<Result<SubmitterView, StoreError>> submitter(SubmitterId submitter) = 0;
    /// The node that holds its lease now, if any. Stores with a cheaper query override this.
    [[nodiscard]] virtual Task<Result<std::optional<NodeId>, StoreError>> owner(SubmitterId submitter) {
        auto view = co_await this->submitter(std::move(submitter));
        if (!view) co_return err(view.error());
        co_return view->held ? std::optional(view->lease->owner) : std::nullopt;
    }
    /// Submitters with any record (transaction, nonce, status, lease or command), in order, after `after`.
    [[nodiscard]] virtual Task<Result<std::vector<SubmitterId>, StoreError>> submitters(std::string after,
                                                                                        std::size_t limit) = 0;
    /// Submitters whose lane has work, in order: unfinished transactions, settled ones that are not yet finalized, or
    /// commands.
    [[nodiscard]] virtual Task<Result<std::vector<UnfinishedSubmitter>, StoreError>> unfinished_submitters() = 0;
};

}  // namespace fencepost
