// Nonces of a key shared with external systems: helpers for the tests of relaxed mode.
#pragma once

#include "store_fixture.hpp"

namespace fencepost::contract {

using namespace std::chrono_literals;

class RelaxedFixture : public StoreContract {
protected:
    const LockOwner one_{"one"};
    const LockOwner two_{"two"};

    static NonceBounds chain_at(std::uint64_t count) { return {Nonce(count), Nonce(count)}; }

    Task<Nonce> reserve(Fence fence, LockOwner owner, std::uint64_t chain = 0, Duration timeout = 60s) {
        co_return co_await reserve(fence, owner, chain_at(chain), timeout);
    }
    Task<Nonce> reserve(Fence fence, LockOwner owner, NonceBounds bounds, Duration timeout = 60s) {
        const auto answer = (co_await store().reserve(submitter_, fence, owner, bounds, timeout)).value();
        EXPECT_EQ(answer.answer, WriteAnswer::applied);
        co_return answer.nonce.value_or(Nonce(999));
    }

    // A lane's write that allocates the nonce to this transaction and marks it in flight.
    LaneWrite in_flight(const Fence& fence, const TxId& tx, std::uint64_t nonce, std::optional<Nonce> cursor) {
        auto write = allocation(fence, tx, nonce);
        write.cursor = CursorMove{.expected = cursor, .next = Nonce(nonce + 1)};
        if (cursor && *cursor > Nonce(nonce)) write.cursor.reset();
        write.nonce_marks = {{.nonce = Nonce(nonce),
                              .status = AllocationStatus::reserved,
                              .hash = write.transactions.at(0).attempts.at(0).hash}};
        return write;
    }
    LaneWrite marking(const Fence& fence, NonceMark mark) {
        return {.submitter = submitter_, .fence = fence, .nonce_marks = {std::move(mark)}};
    }
    static TxHash hash_of(std::uint8_t fill) {
        TxHash hash;
        hash.data.fill(fill);
        return hash;
    }
};

}  // namespace fencepost::contract
