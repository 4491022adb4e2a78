// The nonce supply of a shared key: each nonce is reserved before signing, in flight with the commit that records its
// bytes, used when its transaction is final, and released only when no bytes of it can exist outside.
#pragma once

#include "lane/allocate/nonce_supply.hpp"
#include "lane/loop/lane_context.hpp"
#include "relaxed/nonce_source.hpp"

namespace fencepost::lane {

class SharedNonces final : public NonceSupply {
public:
    /// For the opening whose lease the lane holds.
    SharedNonces(const Executor& executor, const SubmitterId& submitter, const Fence& opening,
                 const relaxed::RelaxedOptions& options, const LaneDependencies& world, Chain& chain);

    [[nodiscard]] bool is_shared() const override { return true; }
    [[nodiscard]] Task<Result<Nonce, NoNonce>> take(Nonce next) override;
    void put_back(Nonce nonce, const LaneMemory& memory, Turn& turn) const override;
    void follow(const LaneMemory& memory, Turn& turn) const override;
    void invalidate() override { source_.invalidate(); }
    [[nodiscard]] Task<Result<bool, NoNonce>> align() override;

private:
    Clock& clock_;
    relaxed::NonceSource source_;
};

}  // namespace fencepost::lane
