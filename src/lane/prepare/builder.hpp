// Room between allocate and sign: some callers can make their transaction only once its nonce is known. A builder that
// fails loses nothing, for nothing is committed yet, and the nonce goes to the next in the queue.
#pragma once

#include <string>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/intent.hpp"
#include "ports/signer.hpp"

namespace fencepost::lane {

struct BuildError {
    std::string what;
    bool for_good = true;  // otherwise it is tried again
};

class TransactionBuilder {
public:
    virtual ~TransactionBuilder() = default;
    /// `draft` is the transaction as the intent describes it, with its nonce. Sender, chain and nonce must stay.
    [[nodiscard]] virtual Task<Result<UnsignedTransaction, BuildError>> build(Intent intent,
                                                                              UnsignedTransaction draft) = 0;
};

/// The draft is the transaction.
class AsDrafted final : public TransactionBuilder {
public:
    [[nodiscard]] Task<Result<UnsignedTransaction, BuildError>> build(Intent /*intent*/,
                                                                      UnsignedTransaction draft) override {
        co_return draft;
    }
};

}  // namespace fencepost::lane
