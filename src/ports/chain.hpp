// What the lane needs of a chain, whatever its family. Connectors are chosen by the CAIP-2 namespace of the submitter.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/enum_names.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "domain/block.hpp"
#include "domain/canonical_chain.hpp"
#include "domain/fees.hpp"
#include "domain/intent.hpp"
#include "domain/receipt.hpp"
#include "domain/send_outcome.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

/// Why a read gave no answer. It is never evidence of anything on the chain (law 5).
struct RpcError {
    enum class Kind { unreachable, timed_out, rate_limited, malformed, refused };
    Kind kind;
    std::string what;
};

template <typename T>
using RpcResult = Result<T, RpcError>;

/// What each endpoint answered to one transaction.
struct SendReport {
    struct Answer {
        std::string endpoint;
        SendOutcome outcome;
        std::string message;
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

struct Call {
    SubmitterId from;
    std::optional<std::string> to;
    Wei value;
    Bytes data;
};

/// The call would fail, and why, as the chain says.
struct Reverted {
    std::string reason;
};

/// A step of the chain as one consumer sees it.
struct HeadEvent {
    HeadChange change;
    /// Blocks may be missing before this one, because the consumer was slow: catch up by asking.
    bool gap_potential = false;
};

/// A consumer's own bounded stream of heads. A slow consumer delays neither the follower nor another consumer.
class HeadStream {
public:
    virtual ~HeadStream() = default;
    [[nodiscard]] virtual Task<HeadEvent> next() = 0;
};

/// What an implementation promises:
/// - "not there" is a value (nullopt), never an error; an error is never "not there";
/// - send() never fails: what is not certain is `unknown`. One acceptance by any endpoint is enough to be on its way;
/// - every call ends within its time limit;
/// - a read that decides something irreversible is answered by an endpoint that is at least as high as asked for.
class Chain {
public:
    virtual ~Chain() = default;

    [[nodiscard]] virtual Task<SendReport> send(Bytes raw) = 0;
    /// One answer per hash, in the order asked; each may fail alone.
    [[nodiscard]] virtual Task<std::vector<RpcResult<std::optional<Receipt>>>> receipts(std::vector<TxHash> hashes) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::optional<Block>>> block(BlockNumber number) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::optional<Block>>> block(BlockHash hash) = 0;
    /// The highest count over the endpoints.
    [[nodiscard]] virtual Task<RpcResult<Nonce>> transaction_count(SubmitterId submitter, At at) = 0;
    [[nodiscard]] virtual Task<RpcResult<Wei>> balance(SubmitterId submitter, At at) = 0;
    [[nodiscard]] virtual Task<RpcResult<std::variant<Gas, Reverted>>> estimate_gas(Call call, At at) = 0;
    [[nodiscard]] virtual Task<RpcResult<Fees>> fees(Speed speed) = 0;
    [[nodiscard]] virtual std::unique_ptr<HeadStream> heads() = 0;
};

}  // namespace fencepost
