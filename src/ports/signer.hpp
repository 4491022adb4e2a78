// Signing is somebody else's business: a key file, an HSM, a remote signer, or the caller's own service. The lane hands
// over a transaction and gets bytes back.
#pragma once

#include <optional>
#include <string>

#include "base/async/task.hpp"
#include "base/bytes.hpp"
#include "base/result.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

struct UnsignedTransaction {
    SubmitterId from;
    Nonce nonce;
    std::optional<std::string> to;
    Wei value;
    Bytes data;
    Gas gas_limit;
    Fees fees;
};

struct SignedTransaction {
    TxHash hash;
    Bytes raw;
};

struct SignError {
    enum class Kind {
        no_key,       // nobody here signs for this submitter
        unavailable,  // the signer does not answer: try again, nothing is lost
        refused,      // the signer said no
        mismatch,     // it signed something else than it was given; its answer is not used
    };
    Kind kind;
    std::string what;
};

/// What an implementation promises: the bytes are the given transaction, field by field, signed by its sender; keys are
/// never logged and are wiped from memory. Where we hold the key, signing is deterministic (RFC 6979).
class Signer {
public:
    virtual ~Signer() = default;

    /// Whether a key for this submitter is at hand: asked in prepare, before a nonce is taken.
    [[nodiscard]] virtual bool can_sign_for(const SubmitterId& submitter) const = 0;
    [[nodiscard]] virtual Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) = 0;
};

}  // namespace fencepost
