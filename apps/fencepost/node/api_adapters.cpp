#include "node/api_adapters.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace fencepost::node {
namespace {

using Watches = std::vector<std::unique_ptr<HeadWatch>>;

std::optional<api::HeadView> head_view(const HeadWatch& watch) {
    const auto heard = watch.head();
    if (!heard) return std::nullopt;
    return api::HeadView{
        .number = heard->block.number, .hash = heard->block.hash, .age = heard->age, .base_fee = heard->base_fee};
}

std::vector<api::EndpointView> endpoint_views(const evm::EvmChain& chain) {
    const auto all = chain.endpoints().status();
    std::optional<BlockNumber> best;
    for (const auto& endpoint : all)
        best = std::max(best, endpoint.head);
    std::vector<api::EndpointView> views;
    for (const auto& endpoint : all) {
        api::EndpointView view{.name = endpoint.name,
                               .state = endpoint.in_service ? "in_service" : "out_of_service",
                               .head = endpoint.head,
                               .latency = endpoint.latency};
        if (endpoint.other_chain) view.state = fmt::format("another chain: {}", *endpoint.other_chain);
        if (endpoint.head) view.lag = best->value() - endpoint.head->value();
        views.push_back(std::move(view));
    }
    return views;
}

using namespace asio::experimental::awaitable_operators;

/// A load balancer waits only briefly for the readiness check and takes a time-out as a failure.
constexpr auto longest_check = std::chrono::seconds(2);

Task<api::HealthCheck> bounded(Clock* clock, std::string name, Task<api::HealthCheck> check) {
    auto first = co_await (std::move(check) || clock->sleep_for(longest_check));
    if (auto* const found = std::get_if<api::HealthCheck>(&first)) co_return std::move(*found);
    co_return api::HealthCheck{
        .name = std::move(name), .ok = false, .detail = fmt::format("no answer within {}", longest_check)};
}

Task<api::HealthCheck> check_database(Store* store) {
    const auto nodes = co_await store->live(std::chrono::seconds(1));
    co_return api::HealthCheck{
        .name = "database", .ok = nodes.has_value(), .detail = nodes ? "answers" : std::string(name_of(nodes.error()))};
}

Task<api::HealthCheck> check_migrations(Database* database) {
    const auto found = co_await database->check_schema();
    co_return api::HealthCheck{
        .name = "migrations", .ok = found.has_value(), .detail = found ? "current" : found.error()};
}

}  // namespace

bool ConfiguredSubmitters::can_be_served(const SubmitterId& submitter) const {
    return config_.find(submitter.chain()) != nullptr &&
           (front_.connector().sends_for(submitter) || front_.signer().can_sign_for(submitter));
}

std::vector<SubmitterId> ConfiguredSubmitters::configured() const {
    std::vector<SubmitterId> all;
    for (const auto& chain : config_.chains) {
        const auto id = chain.ref.evm_chain_id().value();
        for (const auto& address : keys_.addresses())
            all.push_back(SubmitterId::evm(id, address));
        for (const auto& address : chain.connector.accounts)
            all.push_back(SubmitterId::evm(id, address));
    }
    for (const auto& submitter : config_.submitters)
        all.push_back(submitter.id);
    std::ranges::sort(all);
    const auto twice = std::ranges::unique(all);
    all.erase(twice.begin(), twice.end());
    return all;
}

WindowRules ConfiguredSubmitters::window(const SubmitterId& submitter) const {
    const auto* lane = config_.lane_of(submitter);
    return lane == nullptr ? config_.lane.window : lane->window;
}

std::uint64_t ConfiguredSubmitters::required_confirmations(const SubmitterId& submitter) const {
    const auto* lane = config_.lane_of(submitter);
    return lane == nullptr ? config_.lane.confirmations_required : lane->confirmations_required;
}

std::vector<api::ServedChain> served_chains(const config::Config& config, Worker& front, const Watches& watches) {
    std::vector<api::ServedChain> served;
    for (std::size_t i = 0; i < config.chains.size(); ++i) {
        auto& chain = *front.chains()[i];
        served.push_back({.name = config.chains[i].name,
                          .chain = chain,
                          .head = [watch = watches[i].get()] { return head_view(*watch); },
                          .endpoints = [&chain] { return endpoint_views(chain); }});
    }
    return served;
}

std::vector<api::MakeHealthCheck> health_checks(Worker& front, Database& database) {
    std::vector<api::MakeHealthCheck> checks;
    auto* const clock = &front.clock();
    checks.emplace_back([clock, store = &front.store()] { return bounded(clock, "database", check_database(store)); });
    checks.emplace_back(
        [clock, database = &database] { return bounded(clock, "migrations", check_migrations(database)); });
    return checks;
}

}  // namespace fencepost::node
