// An Rpc for tests: answers by a function, records requests, fails and delays on demand.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"

namespace fencepost::evm::test {

/// The account used by the tests.
inline const Address some_account = Address::parse("0x" + std::string(40, 'a')).value();

inline jsonrpc::Error node_error(std::int64_t code, std::string message, boost::json::value data = {}) {
    return jsonrpc::ErrorAnswer{code, std::move(message), std::move(data)};
}
inline jsonrpc::Error no_method() { return node_error(-32601, "the method does not exist/is not available"); }
inline jsonrpc::Error no_answer() {
    return jsonrpc::Failure{jsonrpc::Failure::Kind::unreachable, "connection refused", {}};
}

class TestRpc final : public Rpc {
public:
    using Endpoint = std::function<Answer(const Request&)>;
    struct Asked {
        std::vector<Request> batch;
        Evidence evidence;
    };

    explicit TestRpc(Endpoint endpoint) : endpoints{std::move(endpoint)} {}

    Task<std::vector<Answer>> read(std::vector<Request> batch, Evidence evidence) override {
        asked.push_back({batch, evidence});
        if (before_batch) before_batch();
        if (clock != nullptr) co_await clock->sleep_for(latency);
        if (failing) co_return std::vector<Answer>(batch.size(), err(no_answer()));
        co_return answers(endpoints.front(), batch);
    }

    Task<std::vector<std::vector<Answer>>> read_all(std::vector<Request> batch) override {
        asked.push_back({batch, {}});
        std::vector<std::vector<Answer>> all;
        for (const auto& endpoint : endpoints)
            all.push_back(answers(endpoint, batch));
        co_return all;
    }

    [[nodiscard]] std::size_t count(std::string_view method) const {
        std::size_t n = 0;
        for (const auto& [batch, evidence] : asked) {
            for (const auto& request : batch)
                n += request.method == method ? 1 : 0;
        }
        return n;
    }

    /// The first one answers read().
    std::vector<Endpoint> endpoints;
    std::vector<Asked> asked{};
    std::function<void()> before_batch{};
    bool failing = false;
    Clock* clock = nullptr;
    Duration latency{};

private:
    static std::vector<Answer> answers(const Endpoint& endpoint, const std::vector<Request>& batch) {
        std::vector<Answer> list;
        for (const auto& request : batch)
            list.push_back(endpoint(request));
        return list;
    }
};

class TestLog final : public Log {
public:
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> /*fields*/) override {
        lines.emplace_back(severity, message);
    }
    [[nodiscard]] std::size_t count(Severity severity) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(lines, [severity](const auto& line) { return line.first == severity; }));
    }

    std::vector<std::pair<Severity, std::string>> lines;
};

}  // namespace fencepost::evm::test
