// Where a lane's nonces come from, and what becomes of them. A key that is ours alone has a cursor; one that other
// systems use, too, has reservations. The steps of a transaction's life ask here instead of asking for the mode.
#pragma once

#include <memory>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/ids.hpp"

namespace fencepost::lane {

struct LaneContext;
struct LaneMemory;
class Turn;

enum class NoNonce {
    not_now,  // nothing was written: ask again
    never,    // this opening gets no more, for what it has is not certain: the lane is opened anew
};

class NonceSupply {
public:
    virtual ~NonceSupply() = default;

    /// Others use the key, too: what they do with it is no reason to stop.
    [[nodiscard]] virtual bool is_shared() const = 0;

    /// A nonce to sign at. `next` is the first that was never given, nor taken for this batch.
    [[nodiscard]] virtual Task<Result<Nonce, NoNonce>> take(Nonce next) = 0;
    /// Taken, and not given to any transaction.
    virtual void put_back(Nonce nonce, const LaneMemory& memory, Turn& turn) const = 0;
    /// Adds to the turn what its changes mean for the nonces, so that both are committed together.
    virtual void follow(const LaneMemory& memory, Turn& turn) const = 0;
    /// What was heard of the chain is not true any more.
    virtual void doubt() = 0;
    /// The count on record follows the chain's. False when that could not be compared now.
    [[nodiscard]] virtual Task<Result<bool, NoNonce>> align() = 0;
};

/// Strict mode: the cursor says it all, and only ever advances over what was committed.
class CursorNonces final : public NonceSupply {
public:
    [[nodiscard]] bool is_shared() const override { return false; }
    [[nodiscard]] Task<Result<Nonce, NoNonce>> take(Nonce next) override { co_return next; }
    void put_back(Nonce /*nonce*/, const LaneMemory& /*memory*/, Turn& /*turn*/) const override {}
    void follow(const LaneMemory& /*memory*/, Turn& /*turn*/) const override {}
    void doubt() override {}
    [[nodiscard]] Task<Result<bool, NoNonce>> align() override { co_return true; }
};

}  // namespace fencepost::lane
