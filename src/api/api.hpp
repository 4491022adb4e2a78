// The API of the service, version 1: its routes, and what runs behind them.
//
//     api::Api api(executor, parts, options);
//     for (auto& route : api.routes()) router.add(std::move(route));
//     tasks.spawn(api.run());
#pragma once

#include <memory>
#include <vector>

#include "api/dependencies.hpp"
#include "api/query/tx_change.hpp"
#include "http/router.hpp"

namespace fencepost::api {

struct Service;

/// Everything is called on one executor.
class Api {
public:
    Api(const Executor& executor, ApiParts parts, ApiOptions options = {});
    ~Api();
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    /// All of them, except /livez, which the server has of its own. The API must outlive them.
    [[nodiscard]] std::vector<http::Route> routes();

    /// Writes what is accepted, until it is cancelled. From then on nothing is accepted any more, and requests that
    /// wait for something are answered at once: so it may be cancelled together with the server, or, better, after it.
    [[nodiscard]] Task<void> run();

    /// What a lane of this node has written (AnnouncingStore): whoever waits for it is answered.
    void announce(const std::vector<TxChange>& changes);

    /// Requests that wait for something to happen are answered with what is true now, from now on at once. Said before
    /// the server stops, so that it need not wait for them.
    void stop_waiting();

private:
    std::unique_ptr<Service> service_;
};

}  // namespace fencepost::api
