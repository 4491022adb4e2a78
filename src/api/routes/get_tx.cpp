// GET /api/v1/tx/{txId}: the present state of a transaction. With wait=, the response is sent once the transaction
// reaches a state (until=), or when the time is over.
#include <utility>

#include <fmt/format.h>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/query/wait_time.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

struct WaitOptions {
    Duration wait{};
    Until until = Until::confirmed;
};

OrProblem<WaitOptions> read_wait_options(const Service& service, const http::Request& request) {
    const auto query = read_query(request, {"wait", "until"});
    if (!query) return err(query.error());
    WaitOptions wait_options;
    if (const auto text = query->find("wait")) {
        const auto wait = parse_wait_time(*text);
        if (!wait) return err(wrong_field("wait", wait.error().what));
        if (*wait > service.options.max_wait) {
            const auto most = std::chrono::floor<std::chrono::seconds>(service.options.max_wait).count();
            return err(
                wrong_field("wait", fmt::format("is too long: at most {}s; repeat the request after that", most)));
        }
        wait_options.wait = *wait;
    }
    if (const auto text = query->find("until")) {
        const auto until = value_of<Until>(*text);
        if (!until) return err(wrong_field("until", "must be mined or confirmed"));
        wait_options.until = *until;
    }
    return wait_options;
}

Task<http::Response> answer_get_tx(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    const auto wait_options = read_wait_options(*service, request);
    if (!wait_options) co_return wait_options.error();
    const auto deadline = service->dependencies.clock.monotonic() + wait_options->wait;
    auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return std::move(tx.error());
    if (wait_options->wait > Duration{}) {
        if (!service->waiter.has_room()) {
            co_return temporary_problem(http::ProblemKind::overloaded,
                                        "Too many requests are waiting: omit wait=, or retry in a moment.",
                                        std::chrono::seconds(1));
        }
        auto later = co_await service->waiter.wait(*std::move(tx), wait_options->until, deadline, request.client);
        if (!later) co_return store_problem(later.error());
        tx = *std::move(later);
    }
    co_return json_response(tx_json_for(*service, *caller, *tx));
}

}  // namespace

http::Route get_tx(Service& service) {
    return {http::Method::get, "/api/v1/tx/{txId}", handled_by(service, answer_get_tx)};
}

}  // namespace fencepost::api::routes
