// A node's signer: the keys of the run without those that a connector holds, so that code which takes the local path
// for such a key finds no key there.
#pragma once

#include <utility>

#include "base/assert.hpp"
#include "ports/sending_connector.hpp"
#include "ports/signer.hpp"

namespace fencepost::sim {

class OwnKeysSigner final : public Signer {
public:
    OwnKeysSigner(Signer& all, const SendingConnector& connector) : all_(all), connector_(connector) {}

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override {
        return !connector_.sends_for(submitter) && all_.can_sign_for(submitter);
    }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override {
        FP_ASSERT(can_sign_for(transaction.from), "a node was to sign with a key that a connector holds");
        if (broken_) co_return err(SignError{SignError::Kind::unavailable, "signer does not answer"});
        co_return co_await all_.sign(std::move(transaction));
    }
    /// The signer stops answering this node.
    void break_down() { broken_ = true; }
    void repair() { broken_ = false; }

private:
    Signer& all_;
    const SendingConnector& connector_;
    bool broken_ = false;
};

}  // namespace fencepost::sim
