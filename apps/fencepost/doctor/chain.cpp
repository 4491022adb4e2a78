#include <utility>
#include <variant>

#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "doctor/checks.hpp"
#include "doctor/endpoint_facts.hpp"
#include "evm/json_values.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "jsonrpc/subscription.hpp"

namespace fencepost::doctor {
namespace {

using jsonrpc::Answer;

std::string why(const jsonrpc::Error& error) {
    if (const auto* const failure = std::get_if<jsonrpc::Failure>(&error)) return failure->what;
    return fmt::format("it returned an error: {}", std::get<jsonrpc::ErrorAnswer>(error).message);
}

std::vector<jsonrpc::Request> questions() {
    std::vector<jsonrpc::Request> batch;
    batch.push_back({"eth_chainId", {}});
    batch.push_back({"eth_getBlockByNumber", {"0x0", false}});
    batch.push_back({"eth_getBlockByNumber", {"latest", false}});
    return batch;
}

Result<Block, std::string> block_in(const Answer& answer, std::string_view which) {
    auto block = evm::read_block(*answer);
    if (!block) return err(fmt::format("its {} block cannot be read: {}", which, block.error().what));
    if (!*block) return err(fmt::format("it has no {} block", which));
    return std::move(**block);
}

Result<EndpointFacts, std::string> facts_in(const std::vector<Answer>& answers) {
    for (const auto& answer : answers) {
        if (!answer) return err(why(answer.error()));
    }
    const auto chain_id = evm::read_uint64(*answers[0], "chain id");
    if (!chain_id) return err(chain_id.error().what);
    const auto first = block_in(answers[1], "first");
    if (!first) return err(first.error());
    const auto latest = block_in(answers[2], "latest");
    if (!latest) return err(latest.error());
    return EndpointFacts{
        .chain_id = *chain_id, .genesis = first->ref.hash, .head = latest->ref.number, .head_time = latest->time};
}

Task<EndpointResult> ask(Executor executor, Clock* clock, config::Endpoint endpoint) {
    EndpointResult asked{.name = endpoint.name, .facts = err(std::string())};
    try {
        jsonrpc::HttpJsonRpc rpc(executor, *clock, endpoint.rpc);
        asked.facts = facts_in(co_await rpc.call(questions(), time_limit));
    } catch (const StartupError& error) {
        asked.facts = err(std::string(error.what()));
    }
    co_return asked;
}

Task<Finding> check_web_socket(Executor executor, Clock* clock, std::string subject,
                               jsonrpc::SubscriptionOptions options) {
    const std::string to_do = "correct or remove it; without it, new blocks are polled, which is slower";
    std::string trouble;
    try {
        jsonrpc::Subscription heads(executor, *clock, std::move(options));
        const auto opened = co_await heads.open(time_limit);
        co_await heads.close();
        if (opened) co_return good(subject, "announces new blocks");
        trouble = why(opened.error());
    } catch (const StartupError& error) {
        trouble = error.what();
    }
    co_return doubtful(subject, trouble, to_do);
}

}  // namespace

Task<Findings> check_chain(Executor executor, Clock* clock, config::ChainConfig chain) {
    const ExpectedChain expected{.name = chain.name,
                                 .chain_id = chain.ref.evm_chain_id().value_or(0),
                                 .genesis = chain.settings.evm.genesis,
                                 .max_lag = chain.settings.evm.pool.max_lag};
    if (chain.endpoints.empty()) {
        Findings none{broken("chain " + chain.name, "it has no endpoint", "set its rpc.url")};
        co_return none;
    }
    std::vector<EndpointResult> asked;
    asked.reserve(chain.endpoints.size());
    for (const auto& endpoint : chain.endpoints)
        asked.push_back(co_await ask(executor, clock, endpoint));
    auto findings = check_endpoint_facts(expected, asked, clock->unix_now());
    for (const auto& endpoint : chain.endpoints) {
        if (!endpoint.web_socket) continue;
        findings.push_back(co_await check_web_socket(
            executor, clock, fmt::format("chain {}, endpoint {}, WebSocket", chain.name, endpoint.name),
            {.url = *endpoint.web_socket, .headers = endpoint.rpc.headers, .ca_file = endpoint.rpc.ca_file}));
    }
    co_return findings;
}

}  // namespace fencepost::doctor
