// Test doubles for a node: a builder that fails or is slow, and a signer without keys.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "lane/prepare/builder.hpp"
#include "ports/clock.hpp"
#include "ports/signer.hpp"

namespace fencepost::scenario {

/// Called before each build: none, or the error.
using BuildFault = std::function<std::optional<lane::BuildError>(const Intent&)>;

class HookedBuilder final : public lane::TransactionBuilder {
public:
    explicit HookedBuilder(Clock& clock) : clock_(clock) {}

    void fail(BuildFault fault) { fault_ = std::move(fault); }
    void delay(Duration delay) { delay_ = delay; }
    /// Changes the draft.
    void change(std::function<void(UnsignedTransaction&)> change) { change_ = std::move(change); }

    [[nodiscard]] Task<Result<UnsignedTransaction, lane::BuildError>> build(Intent intent,
                                                                            UnsignedTransaction draft) override {
        if (delay_ != Duration{}) co_await clock_.sleep_for(delay_);
        if (fault_) {
            if (auto error = fault_(intent)) co_return err(std::move(*error));
        }
        if (change_) change_(draft);
        co_return draft;
    }

private:
    Clock& clock_;
    BuildFault fault_;
    Duration delay_{};
    std::function<void(UnsignedTransaction&)> change_;
};

/// The scenario's signer, if this node has the keys; can be made unavailable.
class NodeSigner final : public Signer {
public:
    NodeSigner(Signer& signer, bool has_keys) : signer_(signer), has_keys_(has_keys) {}

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override {
        return has_keys_ && signer_.can_sign_for(submitter);
    }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override {
        if (away_) co_return err(SignError{SignError::Kind::unavailable, "away"});
        co_return co_await signer_.sign(std::move(transaction));
    }
    void set_away(bool away) { away_ = away; }

private:
    Signer& signer_;
    bool has_keys_;
    bool away_ = false;
};

}  // namespace fencepost::scenario
