#include "api/api.hpp"

#include <array>
#include <utility>

#include "api/routes/routes.hpp"
#include "api/service.hpp"

namespace fencepost::api {

Api::Api(const Executor& executor, ApiDependencies dependencies, ApiOptions options)
    : service_(std::make_unique<Service>(executor, std::move(dependencies), options)) {}

Api::~Api() = default;

std::vector<http::Route> Api::routes() {
    using namespace routes;
    constexpr std::array always{post_tx,           post_tx_batch,   list_tx,         get_tx,
                                get_tx_by_request, get_tx_history,  get_tx_attempts, get_tx_confirmations,
                                get_tx_diagnosis,  list_submitters, get_submitter,   get_chains,
                                get_cluster,       readyz};
    auto all = command_routes(*service_);
    for (auto* const make : always)
        all.push_back(make(*service_));
    if (service_->dependencies.metrics) all.push_back(metrics(*service_));
    if (!service_->dependencies.openapi.empty()) all.push_back(openapi(*service_));
    return all;
}

Task<void> Api::run() {
    struct Stop {
        Service& service;
        ~Stop() { service.waiter.stop(); }
    };
    const Stop stop{*service_};
    co_await service_->accepts.run();
}

void Api::announce(const std::vector<TxChange>& changes) {
    for (const auto& change : changes)
        service_->waiter.announce(change);
}

void Api::stop_waiting() { service_->waiter.stop(); }

}  // namespace fencepost::api
