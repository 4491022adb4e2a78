// Scripted nodes for tests that need several endpoints: each answers as its test says, in virtual time.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/async/task_group.hpp"
#include "base/crypto/keccak.hpp"
#include "base/text/hex.hpp"
#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/json_values.hpp"
#include "sim/sim_clock.hpp"
#include "sim/world.hpp"

namespace fencepost::evm::test {

using jsonrpc::ErrorAnswer;
using jsonrpc::Failure;

inline Answer failing(Failure::Kind kind, std::optional<Duration> retry_after = {}) {
    return err(jsonrpc::Error(Failure{kind, std::string(name_of(kind)), retry_after}));
}
inline Answer refusing(std::int64_t code, std::string message) {
    return err(jsonrpc::Error(ErrorAnswer{code, std::move(message), {}}));
}

/// The answer of a node that accepts the transaction.
inline Answer taking(const boost::json::array& params) {
    return Json(to_hex_prefixed(keccak256(read_data(params.at(0), "raw").value())));
}

/// State of one node behind an endpoint.
struct Node {
    std::uint64_t chain_id = 1;
    std::uint8_t genesis = 7;
    std::uint64_t head = 100;
    Duration latency = std::chrono::milliseconds(10);
    /// Extra latency per sent transaction: the node processes a batch one by one.
    Duration per_send{};
    std::size_t max_batch = std::numeric_limits<std::size_t>::max();
    bool hangs = false;
    /// Does not return its chain id.
    bool silent = false;
    /// Answers every request with this error.
    std::optional<ErrorAnswer> answers_all{};
    /// Every call fails with this.
    std::optional<Failure> broken{};
    /// The answer to a method, given the parameters; any other method is "not found".
    std::map<std::string, std::function<Answer(const boost::json::array&)>, std::less<>> methods{};
    /// Decides per batch, after the latency, whether it fails.
    std::function<std::optional<Failure>()> inject_failure{};

    // Recorded calls.
    std::vector<std::vector<std::string>> batches{};
    /// The raw bytes of each batch of sends, in sending order.
    std::vector<std::vector<std::string>> sends{};
    std::size_t sends_in_flight = 0;
    std::size_t max_sends_in_flight = 0;
    [[nodiscard]] std::size_t asked(std::string_view method) const {
        std::size_t n = 0;
        for (const auto& batch : batches)
            n += static_cast<std::size_t>(std::ranges::count(batch, method));
        return n;
    }

    [[nodiscard]] Answer answer(const Request& request) const {
        if (answers_all) return err(jsonrpc::Error(*answers_all));
        if (request.method == "eth_chainId" && silent) return refusing(-32000, "not yet");
        if (request.method == "eth_chainId") return write_quantity(chain_id);
        if (request.method == "eth_blockNumber") return write_quantity(head);
        if (request.method == "eth_getBlockByNumber" && request.params.at(0) == "0x0") return genesis_block();
        const auto method = methods.find(request.method);
        if (method == methods.end()) return refusing(-32601, "Method not found");
        return method->second(request.params);
    }
    [[nodiscard]] Json genesis_block() const {
        return {{"number", "0x0"},
                {"hash", to_hex_prefixed(BlockHash{{genesis}}.view())},
                {"parentHash", to_hex_prefixed(BlockHash{}.view())},
                {"timestamp", "0x1"},
                {"transactions", boost::json::array{}}};
    }
};

class NodeRpc final : public jsonrpc::JsonRpc {
public:
    NodeRpc(Node& node, Clock& clock) : node_(node), clock_(clock) {}

    Task<std::vector<Answer>> call(std::vector<Request> batch, Duration time_limit) override {
        auto& methods = node_.batches.emplace_back();
        std::vector<std::string> raws;
        for (const auto& request : batch) {
            methods.push_back(request.method);
            if (request.method == "eth_sendRawTransaction") raws.emplace_back(request.params.at(0).as_string());
        }
        const auto takes = node_.hangs ? time_limit + std::chrono::seconds(1)
                                       : node_.latency + node_.per_send * static_cast<std::int64_t>(raws.size());
        const Sending sending(node_, std::move(raws));
        co_await clock_.sleep_for(std::min(takes, time_limit));
        if (takes > time_limit) co_return all(batch.size(), {Failure::Kind::timed_out, "timed_out", {}});
        if (node_.broken) co_return all(batch.size(), *node_.broken);
        if (const auto failure = node_.inject_failure ? node_.inject_failure() : std::nullopt)
            co_return all(batch.size(), *failure);
        std::vector<Answer> answers;
        for (const auto& request : batch)
            answers.push_back(node_.answer(request));
        co_return answers;
    }
    [[nodiscard]] std::size_t max_batch() const override { return node_.max_batch; }

private:
    // Counts itself while it is in flight.
    class Sending {
    public:
        Sending(Node& node, std::vector<std::string> raws) : node_(node), counts_(!raws.empty()) {
            if (!counts_) return;
            node_.sends.push_back(std::move(raws));
            node_.max_sends_in_flight = std::max(node_.max_sends_in_flight, ++node_.sends_in_flight);
        }
        ~Sending() {
            if (counts_) --node_.sends_in_flight;
        }
        Sending(const Sending&) = delete;
        Sending& operator=(const Sending&) = delete;

    private:
        Node& node_;
        bool counts_;
    };

    static std::vector<Answer> all(std::size_t n, const Failure& failure) {
        return std::vector<Answer>(n, err(jsonrpc::Error(failure)));
    }

    Node& node_;
    Clock& clock_;
};

/// Records log lines.
class RecordedLog final : public Log {
public:
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        std::string line(message);
        for (const auto& field : fields)
            line += " " + std::string(field.name) + "=" + field.value;
        lines.emplace_back(severity, line);
    }
    [[nodiscard]] std::vector<std::string> alerts() const {
        std::vector<std::string> result;
        for (const auto& [severity, line] : lines) {
            if (severity == Severity::alert) result.push_back(line);
        }
        return result;
    }
    std::vector<std::pair<Severity, std::string>> lines;
};

class RecordedCounts final : public Telemetry {
public:
    void count(Counter counter, std::string_view label, std::uint64_t by) override {
        counts[{counter, std::string(label)}] += by;
    }
    void observe(Latency latency, Duration /*took*/) override { ++observed[latency]; }
    std::map<std::pair<Counter, std::string>, std::uint64_t> counts;
    std::map<Latency, std::uint64_t> observed;
};

}  // namespace fencepost::evm::test
