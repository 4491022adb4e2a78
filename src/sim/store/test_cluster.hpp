// Two nodes on one simulated database with a latency of exactly one millisecond, for tests.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/store/run_now.hpp"
#include "sim/store/sim_store.hpp"

namespace fencepost::sim::test {

using namespace std::chrono_literals;

inline const auto alice = SubmitterId::evm(1, {});
inline const auto bob = SubmitterId::evm(2, {});
inline const NodeId node_a("a-1");
inline const NodeId node_b("b-1");

template <typename T>
Task<void> keep_shared(Task<T> task, std::shared_ptr<std::optional<T>> answer) {
    answer->emplace(co_await std::move(task));
}

inline Latency exactly(Duration duration) { return {.least = duration, .most = duration}; }

inline DatabaseOptions without_faults(DatabaseMutant mutant = DatabaseMutant::none) {
    return {.way = exactly(1ms), .commit = exactly(1ms), .mutant = mutant};
}

struct Cluster {
    explicit Cluster(DatabaseOptions options = without_faults(), std::uint64_t seed = 1)
        : world(seed),
          database(world, options),
          process_a(world.start_node("a")),
          process_b(world.start_node("b")),
          a(process_a, database),
          b(process_b, database) {
        database.watch([this](const DatabaseEvent& event) { events.push_back(event); });
    }

    /// Starts the task and lets its request leave; the result is set when the answer arrives.
    template <typename T>
    std::shared_ptr<std::optional<T>> start(SimNode& node, Task<T> task) {
        auto answer = std::make_shared<std::optional<T>>();
        world.spawn(node, keep_shared(std::move(task), answer));
        world.run_for(Duration(1));
        return answer;
    }
    template <typename T>
    T run(SimNode& node, Task<T> task) {
        const auto answer = start(node, std::move(task));
        for (int i = 0; i < 100'000 && !*answer; ++i)
            world.run_for(1ms);
        return answer->value();
    }
    template <typename T>
    T truth(Task<Result<T, StoreError>> task) {
        return run_now(std::move(task)).value();
    }

    TxId accept(std::uint8_t number, const SubmitterId& submitter = alice) {
        Uuid id;
        id.data[15] = number;
        const auto answers =
            truth(database.truth().accept({{TxId(id), submitter, std::nullopt, {.value = Wei(number)}}}));
        EXPECT_EQ(answers.at(0).kind, AcceptKind::accepted);
        return TxId(id);
    }
    Fence open_a(const SubmitterId& submitter = alice, Duration duration = 10s) {
        return *run(process_a, a.open(submitter, node_a, duration)).value().fence;
    }
    State state_of(TxId tx) { return truth(database.truth().by_id(tx)).value().position.state; }
    std::optional<Lease> lease(const SubmitterId& submitter = alice) {
        return truth(database.truth().submitter(submitter)).lease;
    }
    template <typename Event>
    std::vector<Event> seen() const {
        std::vector<Event> result;
        for (const auto& event : events) {
            if (const auto* one = std::get_if<Event>(&event)) result.push_back(*one);
        }
        return result;
    }

    std::vector<DatabaseEvent> events;
    World world;
    SimDatabase database;
    SimNode& process_a;
    SimNode& process_b;
    SimStore a;
    SimStore b;
};

/// The attempt's hash is derived from the nonce.
inline TxUpdate allocation(TxId tx, std::uint64_t nonce) {
    TxHash hash;
    hash.data.fill(static_cast<std::uint8_t>(nonce + 1));
    return {.tx = tx,
            .expected = {State::queued},
            .to = {State::allocated},
            .nonce = Nonce(nonce),
            .attempts = {{.nonce = Nonce(nonce), .hash = hash, .raw = {1, 2}}},
            .events = {TxSubmitted{hash}}};
}

inline LaneWrite first_write(const Fence& fence, TxId tx, const SubmitterId& submitter = alice) {
    return {.submitter = submitter,
            .fence = fence,
            .cursor = CursorMove{std::nullopt, Nonce(1)},
            .transactions = {allocation(tx, 0)}};
}

using Answers = std::vector<WriteAnswer>;

}  // namespace fencepost::sim::test
