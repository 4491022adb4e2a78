// What the lane needs of a chain, whatever its family. Connectors are chosen by the CAIP-2 namespace of the submitter.
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

/// Why a read gave no answer. It is never evidence of anything on the chain (law 5).
struct RpcError {
    enum class Kind {
        unreachable,
        timed_out,
        rate_limited,
        malformed,
        refused,      // the node answered with an error of its own
        unsupported,  // the node does not offer this at all
        no_evidence,  // nobody high enough answered, or too few agreed
    };
    Kind kind{};
    std::string what{};

    friend bool operator==(const RpcError&, const RpcError&) = default;
};

FP_ENUM_NAMES(RpcError::Kind, as_written, unreachable, timed_out, rate_limited, malformed, refused, unsupported,
              no_evidence)

template <typename T>
using RpcResult = Result<T, RpcError>;

/// What an answer must rest on. A read that decides something irreversible asks for more than whoever answers first.
struct Evidence {
    /// Only endpoints whose head is at least this high are asked: "null" from one that lags proves nothing.
    BlockNumber at_least{};
    /// So many endpoints must give the same answer.
    std::size_t agreeing = 1;
    /// Only endpoints on whose chain this block stands are heard. By its number alone a block below what is known may
    /// be one of a branch that was lost, as an endpoint has it that has not heard of that yet, however high it is.
    std::optional<BlockRef> having{};
};

/// Signed transactions of one account, from the lowest nonce up.
struct SendBatch {
    struct Item {
        Nonce nonce;
        Bytes raw;
    };
    SubmitterId from;
    std::vector<Item> items;
    /// None: to every endpoint in service.
    std::optional<std::string> only{};
    /// Asked at the moment when the bytes of a nonce would leave: by then whoever handed them in may have lost its
    /// lease, or have put others on record. What may not leave is `not_sent`. None: all may.
    std::function<bool(Nonce, const TxHash&)> may_leave{};
};

/// What each endpoint answered to one transaction, as far as they had when the send returned.
struct SendReport {
    struct Answer {
        std::string endpoint;
        SendOutcome outcome{};
        std::string message{};
        /// Of a `price_floor`: the tip that this endpoint asks for, where it says so.
        std::optional<Wei> least_tip{};
    };
    std::vector<Answer> answers;
};

struct Block {
    BlockRef ref;
    UnixTime time;
    std::optional<Wei> base_fee;
    std::vector<TxHash> transactions;
};

/// As of which block a question is asked.
enum class At { latest, pending, safe, finalized };
FP_ENUM_NAMES(At, as_written, latest, pending, safe, finalized)

/// How many transactions an account has sent, the highest over the endpoints, and what that rests on.
struct AccountCounts {
    Nonce latest;
    Nonce pending;  // at least `latest`
    /// Endpoints that answered and are as high as the head that was told of, and how many are configured.
    std::size_t answered = 0;
    std::size_t endpoints = 0;
};

struct Call {
    SubmitterId from;
    std::optional<std::string> to{};
    Wei value{};
    Bytes data{};
};

/// The call would fail, and why, as the chain says.
struct Reverted {
    std::string reason;
};
/// The account cannot pay for the call, as the chain says.
struct Unaffordable {
    std::string what;
};
using GasEstimate = std::variant<Gas, Reverted, Unaffordable>;

/// Where a hash was found: in a block, or waiting in a mempool.
struct Sighting {
    std::optional<BlockNumber> block_number{};
    std::optional<BlockHash> block_hash{};

    friend bool operator==(const Sighting&, const Sighting&) = default;
};

/// Whether an endpoint has a transaction. "Accepted" does not say so (failure 72).
enum class Presence {
    held,    // in its pool, or in its blocks
    absent,  // it would show it, and does not
    unknown,
};

/// A transaction that was sent: any of its attempts will do.
struct PoolQuestion {
    Nonce nonce;
    std::vector<TxHash> hashes;
};

/// What one endpoint has of an account's transactions.
struct PoolView {
    std::string endpoint;
    /// So many of the account's transactions are in its blocks, and so many it would put there next.
    Nonce mined;
    Nonce pending;
    /// One per question, in the order asked.
    std::vector<Presence> presence;
};

/// What became of a nonce on the chain.
struct NonceUse {
    bool consumed = false;
    /// The transaction that consumed it and its block; none when no endpoint keeps enough history to name it.
    std::optional<TxHash> by{};
    std::optional<Sighting> where{};
};

/// A step of the chain as one consumer sees it.
struct HeadEvent {
    HeadChange change;
    /// The blocks of `change.added`, in the same order.
    std::vector<std::shared_ptr<const Block>> blocks;
    /// As far as the chain has told; none on a young chain.
    std::optional<BlockNumber> safe;
    std::optional<BlockNumber> finalized;
    /// The consumer was slow, or is new: this one event stands for many. What it says is complete all the same: it
    /// leads from the last event to the head, or, without a common ancestor, replaces whatever the consumer knew.
    bool gap_potential = false;
};

/// A consumer's own bounded stream of heads. A slow consumer delays neither the follower nor another consumer. The
/// first event holds everything down to the finalized block.
class HeadStream {
public:
    virtual ~HeadStream() = default;
    [[nodiscard]] virtual Task<HeadEvent> next() = 0;
};

/// What an implementation promises:
/// - "not there" is a value (nullopt), never an error; an error is never "not there";
/// - send() never fails: what is not certain is `unknown`. It goes to every endpoint that is in service and returns
///   once each transaction is held by one of them, or all have answered or run out of time;
/// - an endpoint gets an account's transactions in the order in which they were handed in, a bounded number at a time.
///   What stands above one that it refused, and was handed in before that was known, is `not_sent` there: it could only
///   lie in its pool out of order;
/// - time that a send waits for those before it is not the endpoint's;
/// - every call ends within its time limit;
/// - the answers of one call are one view: no block above the head, no height with two hashes;
/// - counts, balances and estimates are not older than the head that heads() has told of.
class Chain {
public:
    virtual ~Chain() = default;

    [[nodiscard]] virtual const ChainRef& ref() const = 0;

    /// One report per transaction, in the order asked.
    [[nodiscard]] virtual Task<std::vector<SendReport>> send(SendBatch batch) = 0;
    /// What each endpoint has of these, from the lowest nonce up; only of endpoints that answered, are as high as the
    /// head that heads() has told of, and for all that is known could show them. An endpoint that never showed a
    /// transaction of ours that waits says `unknown` instead of `absent`.
    [[nodiscard]] virtual Task<RpcResult<std::vector<PoolView>>> look_into_pools(
        SubmitterId submitter, std::vector<PoolQuestion> questions) = 0;
    /// Whether the account's transactions are executed by a contract's code (EIP-7702): then pools take one at a time.
    [[nodiscard]] virtual Task<RpcResult<bool>> is_delegated(SubmitterId submitter) = 0;
    /// One answer per hash, in the order asked; each may fail alone.
    [[nodiscard]] virtual Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts(std::vector<TxHash> hashes,
                                                                                        Evidence evidence) = 0;
    /// The receipts of these transactions, which were seen in this block; one answer per hash, in the order asked.
    [[nodiscard]] virtual Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts_in(
        BlockRef block, std::vector<TxHash> hashes) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::optional<Block>>> block(BlockNumber number, Evidence evidence) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::optional<Block>>> block(BlockHash hash) = 0;
    /// The highest count over the endpoints.
    [[nodiscard]] virtual Task<RpcResult<Nonce>> transaction_count(SubmitterId submitter, At at) = 0;
    /// Both counts at once: for who decides what can hardly be taken back, and wants to know who was not heard.
    [[nodiscard]] virtual Task<RpcResult<AccountCounts>> counts(SubmitterId submitter) = 0;
    [[nodiscard]] virtual Task<RpcResult<Wei>> balance(SubmitterId submitter, At at) = 0;
    /// A gas limit: the chain's estimate with the configured margin.
    [[nodiscard]] virtual Task<RpcResult<GasEstimate>> estimate_gas(Call call, At at) = 0;
    [[nodiscard]] virtual Task<RpcResult<Fees>> fees(Speed speed) = 0;
    [[nodiscard]] virtual std::unique_ptr<HeadStream> heads() = 0;

    // For diagnosis.

    /// Whether any endpoint knows this hash, and where it is.
    [[nodiscard]] virtual Task<RpcResult<std::optional<Sighting>>> find(TxHash hash) = 0;
    /// The transaction that waits in a mempool at this nonce.
    [[nodiscard]] virtual Task<RpcResult<std::optional<TxHash>>> pending_at(SubmitterId submitter, Nonce nonce) = 0;
    /// Which transaction consumed this nonce. An endpoint's word of a foreign transaction is by name or not at all.
    [[nodiscard]] virtual Task<RpcResult<NonceUse>> use_of(SubmitterId submitter, Nonce nonce) = 0;
    /// Why a mined transaction failed, in the words of the contract where it had any.
    [[nodiscard]] virtual Task<RpcResult<std::string>> failure_reason(Receipt receipt) = 0;
};

}  // namespace fencepost
