// The port for signing by a key file, an HSM, a remote signer, or the caller's own service. The lane passes a
// transaction and receives signed bytes.
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
        no_key,       // no signer of this node has the key
        unavailable,  // the signer does not answer; safe to retry
        refused,      // the signer refused
        mismatch,     // it signed a different transaction; the result is discarded
    };
    Kind kind;
    std::string what;
};

/// Contract: the bytes are the given transaction, field by field, signed by its sender; keys are never logged and are
/// wiped from memory. With a local key, signing is deterministic (RFC 6979).
class Signer {
public:
    virtual ~Signer() = default;

    /// Whether a key for this submitter is available. Checked in prepare, before a nonce is allocated.
    [[nodiscard]] virtual bool can_sign_for(const SubmitterId& submitter) const = 0;
    [[nodiscard]] virtual Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) = 0;
};

}  // namespace fencepost
