// The port between a lane and a chain of any family. The connector is chosen by the CAIP-2 namespace of the submitter.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/chain/canonical_chain.hpp"
#include "domain/fees.hpp"
#include "domain/intent.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/receipt.hpp"
#include "domain/window/send_outcome.hpp"

namespace fencepost {

/// Why a read failed. A failed read is never evidence of the state of the chain (law 5).
struct RpcError {
    enum class Kind {
        unreachable,
        timed_out,
        rate_limited,
        malformed,
        refused,      // the node answered with an error
        unsupported,  // the node does not support the method
        no_evidence,  // no endpoint at the required height answered, or too few agreed
    };
    Kind kind{};
    std::string what{};

    friend bool operator==(const RpcError&, const RpcError&) = default;
};

FP_ENUM_NAMES(RpcError::Kind, as_written, unreachable, timed_out, rate_limited, malformed, refused, unsupported,
              no_evidence)

template <typename T>
using RpcResult = Result<T, RpcError>;

/// What an answer must be based on. An irreversible decision needs more than the first answer that arrives.
struct Evidence {
    /// Minimum head of an endpoint that may answer: "null" from an endpoint that lags proves nothing.
    BlockNumber at_least{};
    /// Number of endpoints that must give the same answer.
    std::size_t agreeing = 1;
    /// Only endpoints that have this block on their chain may answer. The height alone is not enough: an endpoint that
    /// has not seen a reorg yet still serves blocks of the lost branch, whatever its height.
    std::optional<BlockRef> having{};
};

/// Signed transactions of one account, in ascending nonce order.
struct SendBatch {
    struct Item {
        Nonce nonce;
        Bytes raw;
    };
    SubmitterId from;
    std::vector<Item> items;
    /// None: send to every endpoint in service.
    std::optional<std::string> only{};
    /// Called immediately before the bytes of a nonce leave the process: by then the caller may have lost its lease, or
    /// may have recorded another attempt. If it returns false, the result is `not_sent`. None: everything may be sent.
    std::function<bool(Nonce, const TxHash&)> may_still_send{};
};

/// The answer of each endpoint to one transaction, as far as it was known when the send returned.
struct SendReport {
    struct Answer {
        std::string endpoint;
        SendOutcome outcome{};
        std::string message{};
        /// Of a `price_floor`: the minimum tip of this endpoint, if it reports one.
        std::optional<Wei> min_tip{};
    };
    std::vector<Answer> answers;
};

struct Block {
    BlockRef ref;
    UnixTime time;
    std::optional<Wei> base_fee;
    std::vector<TxHash> transactions;
};

/// The block that a query refers to.
enum class At { latest, pending, safe, finalized };
FP_ENUM_NAMES(At, as_written, latest, pending, safe, finalized)

/// The transaction count of an account, the highest over the endpoints, and how many endpoints it is based on.
struct AccountCounts {
    Nonce latest;
    Nonce pending;  // at least `latest`
    /// Endpoints that answered and have reached the announced head, and how many are configured.
    std::size_t answered = 0;
    std::size_t endpoints = 0;
};

struct Call {
    SubmitterId from;
    std::optional<std::string> to{};
    Wei value{};
    Bytes data{};
};

/// The call would revert, with the reason that the chain gives.
struct Reverted {
    std::string reason;
};
/// The account cannot pay for the call, with the text that the chain gives.
struct Unaffordable {
    std::string what;
};
using GasEstimate = std::variant<Gas, Reverted, Unaffordable>;

/// Where a hash was found: in a block, or waiting in a mempool.
struct TxLocation {
    std::optional<BlockNumber> block_number{};
    std::optional<BlockHash> block_hash{};

    friend bool operator==(const TxLocation&, const TxLocation&) = default;
};

/// Whether an endpoint has a transaction. "Accepted" does not prove it (failure 72).
enum class Presence {
    held,    // in its pool, or in its blocks
    absent,  // the endpoint would show it, and does not
    unknown,
};

/// A transaction that was sent; any of its attempts counts.
struct PoolQuery {
    Nonce nonce;
    std::vector<TxHash> hashes;
};

/// What one endpoint reports about an account's transactions.
struct PoolView {
    std::string endpoint;
    /// The endpoint's latest and pending transaction counts.
    Nonce mined;
    Nonce pending;
    /// One per query, in the order of the queries.
    std::vector<Presence> presence;
};

/// Whether and by what a nonce was consumed on the chain.
struct NonceUse {
    bool consumed = false;
    /// The transaction that consumed it and its block; none if no endpoint keeps enough history to identify it.
    std::optional<TxHash> by{};
    std::optional<TxLocation> where{};
};

/// A change of the canonical chain, as one consumer receives it.
struct HeadEvent {
    HeadChange change;
    /// The blocks of `change.added`, in the same order.
    std::vector<std::shared_ptr<const Block>> blocks;
    /// As reported by the chain; none on a young chain.
    std::optional<BlockNumber> safe;
    std::optional<BlockNumber> finalized;
    /// This event replaces several, because the consumer is slow or new. It is still complete: it leads from the last
    /// event to the head, or, without a common ancestor, replaces everything the consumer knew.
    bool gap_potential = false;
};

/// A bounded stream of heads for one consumer. A slow consumer delays neither the follower nor other consumers. The
/// first event contains every block down to the finalized one.
class HeadStream {
public:
    virtual ~HeadStream() = default;
    [[nodiscard]] virtual Task<HeadEvent> next() = 0;
};

/// Contract:
/// - "not found" is a value (nullopt), never an error; an error never means "not found";
/// - send() never fails: an uncertain result is `unknown`. It sends to every endpoint in service and returns when one
///   endpoint holds each transaction, or when all have answered or timed out;
/// - an endpoint receives an account's transactions in the order of submission, a bounded number at a time. When it
///   refuses one, those above it that were submitted before the refusal was known are `not_sent` to it: they would stay
///   in its pool behind a gap;
/// - time spent in the queue behind earlier sends does not count against the endpoint;
/// - every call ends within its time limit;
/// - the answers of one call are consistent: no block above the head, no height with two hashes;
/// - counts, balances and estimates are not older than the head that heads() has reported.
class Chain {
public:
    virtual ~Chain() = default;

    [[nodiscard]] virtual const ChainRef& ref() const = 0;

    /// One report per transaction, in the order of the batch.
    [[nodiscard]] virtual Task<std::vector<SendReport>> send(SendBatch batch) = 0;
    /// What each endpoint reports about these transactions, from the lowest nonce up. Includes only endpoints that
    /// answered, have reached the head reported by heads(), and are not known to hide pending transactions. An endpoint
    /// that has never shown a pending transaction of ours reports `unknown` instead of `absent`.
    [[nodiscard]] virtual Task<RpcResult<std::vector<PoolView>>> query_pools(SubmitterId submitter,
                                                                             std::vector<PoolQuery> questions) = 0;
    /// Whether the account's transactions are executed by a contract's code (EIP-7702): then pools take one at a time.
    [[nodiscard]] virtual Task<RpcResult<bool>> is_delegated(SubmitterId submitter) = 0;
    /// One answer per hash, in the order of the hashes; each may fail separately.
    [[nodiscard]] virtual Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts(std::vector<TxHash> hashes,
                                                                                        Evidence evidence) = 0;
    /// The receipts of these transactions, which are known to be in this block; one answer per hash, in the order of
    /// the hashes.
    [[nodiscard]] virtual Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts_in(
        BlockRef block, std::vector<TxHash> hashes) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::optional<Block>>> block(BlockNumber number, Evidence evidence) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::optional<Block>>> block(BlockHash hash) = 0;
    /// The highest count over the endpoints.
    [[nodiscard]] virtual Task<RpcResult<Nonce>> transaction_count(SubmitterId submitter, At at) = 0;
    /// Both counts in one call, with the number of endpoints that answered: for decisions that are hard to reverse.
    [[nodiscard]] virtual Task<RpcResult<AccountCounts>> counts(SubmitterId submitter) = 0;
    [[nodiscard]] virtual Task<RpcResult<Wei>> balance(SubmitterId submitter, At at) = 0;
    /// A gas limit: the chain's estimate with the configured margin.
    [[nodiscard]] virtual Task<RpcResult<GasEstimate>> estimate_gas(Call call, At at) = 0;
    [[nodiscard]] virtual Task<RpcResult<Fees>> fees(Speed speed) = 0;
    [[nodiscard]] virtual std::unique_ptr<HeadStream> heads() = 0;

    // For diagnosis.

    /// Whether any endpoint knows this hash, and where it is.
    [[nodiscard]] virtual Task<RpcResult<std::optional<TxLocation>>> find(TxHash hash) = 0;
    /// The pending transaction at this nonce.
    [[nodiscard]] virtual Task<RpcResult<std::optional<TxHash>>> pending_at(SubmitterId submitter, Nonce nonce) = 0;
    /// Which transaction consumed this nonce. An external transaction is reported only with its hash.
    [[nodiscard]] virtual Task<RpcResult<NonceUse>> find_nonce_use(SubmitterId submitter, Nonce nonce) = 0;
    /// Why a mined transaction failed, as stated by the contract if it gave a reason.
    [[nodiscard]] virtual Task<RpcResult<std::string>> failure_reason(Receipt receipt) = 0;
};

}  // namespace fencepost
