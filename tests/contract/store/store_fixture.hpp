// Contract suite of the Store port: each test is written once and runs on PostgreSQL and on SQLite. Time is real,
// because PostgreSQL's is, and the machine may pause: durations that must not elapse are long, and end when the test
// says so.
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

/// An empty store and its infrastructure.
class StoreUnderTest {
public:
    virtual ~StoreUnderTest() = default;
    /// Two connections to one database, as two nodes have them.
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

    /// Runs the body of a test to its end; an exception or a body that never ends fails the test.
    void run(Task<void> body);

    [[nodiscard]] Store& store() { return under_test_->a(); }
    /// The same database, from another node.
    [[nodiscard]] Store& other() { return under_test_->b(); }
    [[nodiscard]] StoreUnderTest& under_test() { return *under_test_; }
    [[nodiscard]] Executor executor() { return context_.get_executor(); }
    [[nodiscard]] Task<void> sleep(Duration duration) { return clock_.sleep_for(duration); }

    // Common first steps of tests.
    [[nodiscard]] NewIntent intent(std::uint64_t value = 1);
    [[nodiscard]] NewIntent intent(const SubmitterId& submitter, std::string request, std::uint64_t value = 1);
    /// Accepts n intents of the submitter and returns their ids, in acceptance order.
    [[nodiscard]] Task<std::vector<TxId>> accepted(std::size_t n);
    [[nodiscard]] Task<Fence> opened(Store* at, NodeId node, Duration lease = std::chrono::seconds(30));
    /// Ends the lease now, so that a test need not race against its expiry.
    [[nodiscard]] Task<void> lapse(Fence fence);
    /// The write that allocates a nonce to a queued transaction; the cursor moves from the nonce to the next.
    [[nodiscard]] LaneWrite allocation(const Fence& fence, const TxId& tx, std::uint64_t nonce);
    [[nodiscard]] LaneWrite update(const Fence& fence, TxUpdate update);
    [[nodiscard]] Task<WriteAnswer> write(Store* at, LaneWrite write);
    /// Accepts one intent, allocates nonce 0 to it, and returns its id.
    [[nodiscard]] Task<TxId> allocated(Fence fence);
    [[nodiscard]] Task<TxView> view(TxId id);
    /// Submitters whose lanes have work, as seen from that store.
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

/// The stores available in this build.
[[nodiscard]] std::vector<NamedStore> all_stores();

}  // namespace fencepost::contract
