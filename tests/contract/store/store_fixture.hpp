// One suite for every store: a test is written once, against the port, and runs on PostgreSQL and on SQLite. Time is
// real here, because PostgreSQL's is, and the machine may stand still for a while: what must not be over yet is long,
// and ends when the test says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "ports/store/store.hpp"
#include "system/system_clock.hpp"
#include "system/system_random.hpp"

namespace fencepost::contract {

/// An empty store, and whatever it stands on.
class StoreUnderTest {
public:
    virtual ~StoreUnderTest() = default;
    /// Two ways into one database, as two nodes have them.
    [[nodiscard]] virtual Store& a() = 0;
    [[nodiscard]] virtual Store& b() = 0;
};

using MakeStore = std::unique_ptr<StoreUnderTest> (*)(const Executor& executor, Clock& clock, Random& random);

struct NamedStore {
    const char* name;
    MakeStore make;
};

class StoreContract : public testing::TestWithParam<NamedStore> {
public:
    ~StoreContract() override;

protected:
    StoreContract();

    /// Runs the body of a test to its end; an exception or a body that never ends fails it.
    void run(Task<void> body);

    [[nodiscard]] Store& store() { return under_test_->a(); }
    /// The same database, from another node.
    [[nodiscard]] Store& other() { return under_test_->b(); }
    [[nodiscard]] StoreUnderTest& under_test() { return *under_test_; }
    [[nodiscard]] Executor executor() { return context_.get_executor(); }
    [[nodiscard]] Task<void> sleep(Duration duration) { return clock_.sleep_for(duration); }

    // What most tests need first.
    [[nodiscard]] NewIntent intent(std::uint64_t value = 1);
    [[nodiscard]] NewIntent intent(const SubmitterId& submitter, std::string request, std::uint64_t value = 1);
    /// Accepts n intents of the submitter and gives their ids, in acceptance order.
    [[nodiscard]] Task<std::vector<TxId>> accepted(std::size_t n);
    [[nodiscard]] Task<Fence> opened(Store* at, NodeId node, Duration lease = std::chrono::seconds(30));
    /// Lets the lease end now, rather than that a test hurries to be done before it does.
    [[nodiscard]] Task<void> lapse(Fence fence);
    /// The write that gives a queued transaction its nonce; the cursor moves from the nonce to the next.
    [[nodiscard]] LaneWrite allocation(const Fence& fence, const TxId& tx, std::uint64_t nonce);
    [[nodiscard]] LaneWrite update(const Fence& fence, TxUpdate update);
    [[nodiscard]] Task<WriteAnswer> write(Store* at, LaneWrite write);
    /// Accepts one intent, allocates nonce 0 to it, and gives its id.
    [[nodiscard]] Task<TxId> allocated(Fence fence);
    [[nodiscard]] Task<TxView> view(TxId id);
    /// Whose lanes have something to do, as seen from there.
    [[nodiscard]] Task<std::vector<SubmitterId>> unfinished(Store* at);

    const SubmitterId submitter_ = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000aa").value();
    const SubmitterId second_ = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000bb").value();
    const NodeId node_a_{"node-a"};
    const NodeId node_b_{"node-b"};

private:
    SystemClock clock_;
    SystemRandom random_;
    asio::io_context context_{1};
    UuidV7Generator ids_;
    std::unique_ptr<StoreUnderTest> under_test_;
};

[[nodiscard]] Attempt attempt(std::uint64_t nonce, std::uint8_t variant = 1, AttemptKind kind = AttemptKind::original);
[[nodiscard]] ClaimedSend claim(std::uint64_t nonce, AttemptKind kind = AttemptKind::original);
[[nodiscard]] Receipt receipt_of(const Attempt& attempt, std::uint64_t block);

constexpr Position queued{State::queued, SubState::none};
constexpr Position allocated_position{State::allocated, SubState::none};
constexpr Position tracking{State::tracking, SubState::none};
constexpr Position mined{State::tracking, SubState::mined};
constexpr Position confirmed{State::confirmed, SubState::none};

/// The stores that this program was built with.
[[nodiscard]] std::vector<NamedStore> all_stores();

}  // namespace fencepost::contract
