// The HTTP API, version 1: its routes and the tasks that serve them.
//
//     api::Api api(executor, dependencies, options);
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

/// Call everything on one executor.
class Api {
public:
    Api(const Executor& executor, ApiDependencies dependencies, ApiOptions options = {});
    ~Api();
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    /// All routes except /livez, which the server adds itself. The API must outlive them.
    [[nodiscard]] std::vector<http::Route> routes();

    /// Writes accepted transactions until it is cancelled. After that the API accepts nothing and answers every waiting
    /// request at once. Cancel it together with the server or, better, after the server.
    [[nodiscard]] Task<void> run();

    /// Reports what a lane of this node has written (AnnouncingStore), so that requests waiting for it are answered.
    void announce(const std::vector<TxChange>& changes);

    /// From now on requests do not wait for an event; they return the current state at once. Call it before the server
    /// stops, so that the server need not wait for them.
    void stop_waiting();

private:
    std::unique_ptr<Service> service_;
};

}  // namespace fencepost::api
