// The extension point between allocate and sign, for callers whose transaction depends on its nonce. A failed build has
// no effect: nothing is committed yet, and the next transaction gets the nonce.
#pragma once

#include <string>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/intent.hpp"
#include "ports/signer.hpp"

namespace fencepost::lane {

struct BuildError {
    std::string what;
    bool permanent = true;  // otherwise it is retried
};

class TransactionBuilder {
public:
    virtual ~TransactionBuilder() = default;
    /// `draft` is the transaction as the intent describes it, with its nonce. Sender, chain and nonce must stay.
    [[nodiscard]] virtual Task<Result<UnsignedTransaction, BuildError>> build(Intent intent,
                                                                              UnsignedTransaction draft) = 0;
};

/// Returns the draft unchanged.
class IdentityBuilder final : public TransactionBuilder {
public:
    [[nodiscard]] Task<Result<UnsignedTransaction, BuildError>> build(Intent /*intent*/,
                                                                      UnsignedTransaction draft) override {
        co_return draft;
    }
};

}  // namespace fencepost::lane
