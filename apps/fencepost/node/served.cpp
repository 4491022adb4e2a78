#include "node/served.hpp"

#include <algorithm>
#include <utility>

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
        if (endpoint.foreign) view.state = fmt::format("another chain: {}", *endpoint.foreign);
        if (endpoint.head) view.lag = best->value() - endpoint.head->value();
        views.push_back(std::move(view));
    }
    return views;
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

api::HealthCheck judge_head(std::string name, const HeadWatch& watch, Duration oldest) {
    const auto heard = watch.head();
    if (!heard) return {.name = std::move(name), .ok = false, .detail = "no block was heard of yet"};
    const auto age = std::chrono::duration_cast<std::chrono::seconds>(heard->age);
    return {.name = std::move(name),
            .ok = oldest == Duration{} || heard->age <= oldest,
            .detail = fmt::format("block {} was heard of {} ago", heard->block.number.value(), age)};
}

Task<api::HealthCheck> check_chain(std::string name, const HeadWatch* watch, Duration oldest) {
    co_return judge_head(std::move(name), *watch, oldest);
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

std::size_t ConfiguredSubmitters::window(const SubmitterId& submitter) const {
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

std::vector<api::MakeHealthCheck> health_checks(const config::Config& config, Worker& front, Database& database,
                                                const Watches& watches) {
    std::vector<api::MakeHealthCheck> checks;
    checks.emplace_back([store = &front.store()] { return check_database(store); });
    checks.emplace_back([database = &database] { return check_migrations(database); });
    for (std::size_t i = 0; i < config.chains.size(); ++i) {
        checks.emplace_back([name = "chain:" + config.chains[i].name, watch = watches[i].get(),
                             oldest = config.ready_head_age] { return check_chain(name, watch, oldest); });
    }
    return checks;
}

}  // namespace fencepost::node
