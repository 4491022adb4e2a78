// The source of a lane's nonces: a cursor for a key that only Fencepost uses, reservations for a key that other systems
// use, too. The lane's steps call this interface instead of checking the mode.
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
    not_now,  // nothing was written: retry
    never,    // this opening gets no more nonces because its state is uncertain: reopen the lane
};

class NonceSupply {
public:
    virtual ~NonceSupply() = default;

    /// Other systems use the key, too: their transactions do not stop the submitter.
    [[nodiscard]] virtual bool is_shared() const = 0;

    /// Reserves a nonce to sign with. `next` is the first that was never allocated, nor taken for this batch.
    [[nodiscard]] virtual Task<Result<Nonce, NoNonce>> take(Nonce next) = 0;
    /// Returns a nonce that was taken and not used.
    virtual void put_back(Nonce nonce, const LaneMemory& memory, Turn& turn) const = 0;
    /// Adds the nonce changes of this turn, so that both are committed together.
    virtual void follow(const LaneMemory& memory, Turn& turn) const = 0;
    /// Marks the known chain state as outdated.
    virtual void invalidate() = 0;
    /// Aligns the recorded count with the chain. False when the chain could not be queried.
    [[nodiscard]] virtual Task<Result<bool, NoNonce>> align() = 0;
};

/// Strict mode: the cursor is the whole state, and only advances over committed nonces.
class CursorNonces final : public NonceSupply {
public:
    [[nodiscard]] bool is_shared() const override { return false; }
    [[nodiscard]] Task<Result<Nonce, NoNonce>> take(Nonce next) override { co_return next; }
    void put_back(Nonce /*nonce*/, const LaneMemory& /*memory*/, Turn& /*turn*/) const override {}
    void follow(const LaneMemory& /*memory*/, Turn& /*turn*/) const override {}
    void invalidate() override {}
    [[nodiscard]] Task<Result<bool, NoNonce>> align() override { co_return true; }
};

}  // namespace fencepost::lane
