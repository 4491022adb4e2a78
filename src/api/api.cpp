#include "api/api.hpp"

#include <utility>

#include "api/routes/routes.hpp"
#include "api/service.hpp"

namespace fencepost::api {

Api::Api(const Executor& executor, ApiParts parts, ApiOptions options)
    : service_(std::make_unique<Service>(executor, std::move(parts), options)) {}

Api::~Api() = default;

std::vector<http::Route> Api::routes() {
    auto& service = *service_;
    return {routes::post_tx(service), routes::post_tx_batch(service), routes::get_tx(service),
            routes::get_tx_by_request(service), routes::list_tx(service)};
}

Task<void> Api::run() {
    struct Stop {
        Service& service;
        ~Stop() { service.waiter.stop(); }
    };
    const Stop stop{*service_};
    co_await service_->accepts.run();
}

void Api::stop_waiting() { service_->waiter.stop(); }

}  // namespace fencepost::api
