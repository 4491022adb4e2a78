// Three nodes behind one pool, in virtual time.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crypto/keccak.hpp"
#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/endpoints/test_nodes.hpp"

namespace fencepost::evm::test {

using namespace std::chrono_literals;
using Kind = Failure::Kind;
using testing::HasSubstr;

inline const Bytes raw{1, 2, 3};

inline SubmitterId sender(std::uint16_t number = 0) {
    Address address;
    address.data[0] = static_cast<std::uint8_t>(number >> 8U);
    address.data[1] = static_cast<std::uint8_t>(number);
    return SubmitterId::evm(1, address);
}

/// The bytes encode sender number and nonce, so that tests can identify them.
inline Bytes raw_of(std::uint16_t from, std::uint16_t nonce) {
    return {static_cast<std::uint8_t>(from >> 8U), static_cast<std::uint8_t>(from),
            static_cast<std::uint8_t>(nonce >> 8U), static_cast<std::uint8_t>(nonce)};
}
inline std::uint64_t nonce_in(std::string_view raw_hex) {
    const auto bytes = from_hex(raw_hex).value();
    return bytes.at(2) * 256U + bytes.at(3);
}
/// Consecutive nonces of one sender.
inline SendBatch batch_of(std::uint16_t from, std::uint16_t first, std::uint16_t count) {
    SendBatch batch{.from = sender(from), .items = {}};
    for (std::uint16_t i = 0; i < count; ++i)
        batch.items.push_back({Nonce(first + i), raw_of(from, static_cast<std::uint16_t>(first + i))});
    return batch;
}

inline std::vector<Request> questions(std::size_t n = 1, std::string method = "eth_gasPrice") {
    std::vector<Request> batch;
    for (std::size_t i = 0; i < n; ++i)
        batch.push_back({method, {}});
    return batch;
}

class Pool : public testing::Test {
protected:
    Pool() {
        for (auto* node : {&a_, &b_, &c_}) {
            node->methods["eth_gasPrice"] = [](const auto&) -> Answer { return Json("0x1"); };
            node->methods["eth_sendRawTransaction"] = taking;
        }
        a_.latency = 5ms;
        b_.latency = 20ms;
        c_.latency = 80ms;
    }

    EndpointPool& pool() {
        if (!pool_) {
            std::vector<NamedRpc> endpoints;
            const char* names[] = {"a", "b", "c"};
            for (std::size_t i = 0; i < nodes_.size(); ++i)
                endpoints.push_back({names[i], std::make_unique<NodeRpc>(*nodes_[i], clock_)});
            pool_ = std::make_unique<EndpointPool>(sim_.executor(), clock_, log_, telemetry_, pin_,
                                                   std::move(endpoints), options_);
        }
        return *pool_;
    }

    // Runs the body next to a running pool and returns how long it took in virtual time.
    Duration run(Task<void> body) {
        pool();
        bool ended = false;
        Duration took{};
        world_.spawn(sim_, beside(std::move(body), &ended, &took));
        world_.run_for(10min);
        EXPECT_TRUE(ended) << "the body did not end";
        return took;
    }

    Task<std::vector<Answer>> read(std::vector<Request> batch = questions(), Evidence evidence = {}) {
        co_return co_await pool().read(std::move(batch), evidence);
    }
    Task<Answer> read_one(Evidence evidence = {}) {
        auto answers = co_await pool().read(questions(), evidence);
        co_return answers.at(0);
    }
    Task<SendReport> send_one() {
        auto reports = co_await pool().send({.from = sender(), .items = {{Nonce(0), raw}}});
        co_return reports.at(0);
    }
    static Failure failure_of(const Answer& answer) { return std::get<Failure>(answer.error()); }
    static SendOutcome outcome_at(const SendReport& report, std::string_view endpoint) {
        const auto at = std::ranges::find(report.answers, endpoint, &SendReport::Answer::endpoint);
        return at == report.answers.end() ? SendOutcome::rejected : at->outcome;
    }

    Node a_, b_, c_;
    std::vector<Node*> nodes_{&a_, &b_, &c_};
    ChainPin pin_{.chain_id = 1};
    PoolOptions options_{};
    sim::World world_{1};
    sim::SimNode& sim_ = world_.start_node("node");
    sim::SimClock clock_{sim_};
    RecordedLog log_;
    RecordedCounts telemetry_;
    std::unique_ptr<EndpointPool> pool_;

private:
    Task<void> beside(Task<void> body, bool* ended, Duration* took) {
        TaskGroup group(sim_.executor());
        group.spawn(pool_->run());
        // One round of the watch, so that heads and latencies are known.
        co_await clock_.sleep_for(1s);
        const auto begun = clock_.monotonic();
        std::exception_ptr error;
        try {
            co_await std::move(body);
        } catch (...) {
            error = std::current_exception();
        }
        *took = clock_.monotonic() - begun;
        *ended = true;
        group.cancel();
        co_await group.join();
        if (error) std::rethrow_exception(error);
    }
};

}  // namespace fencepost::evm::test
