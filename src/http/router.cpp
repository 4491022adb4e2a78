#include "http/router.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "http/problem.hpp"

namespace fencepost::http {
namespace {

std::string allowed(const std::map<Method, Handler>& methods) {
    std::string list;
    for (const auto& [method, handler] : methods) {
        if (!list.empty()) list += ", ";
        list += to_string(method);
        if (method == Method::get) list += ", HEAD";
    }
    return list;
}

Response no_such_path(const Request& request) {
    return problem(ProblemKind::not_found, fmt::format("There is no {}.", request.path));
}

Response no_such_method(const Request& request, const std::string& allow) {
    auto response = problem(ProblemKind::method_not_allowed, fmt::format("{} answers {} only.", request.path, allow));
    response.headers.add("Allow", allow);
    return response;
}

}  // namespace

void Router::add(Route route) {
    FP_ASSERT(route.method != Method::head, "GET answers HEAD");
    FP_ASSERT(route.method != Method::other);
    FP_ASSERT(route.path.starts_with('/'));
    const bool added = paths_[route.path].emplace(route.method, std::move(route.handler)).second;
    FP_ASSERT(added, "two handlers for {} {}", to_string(route.method), route.path);
}

Task<Response> Router::answer(Request request) const {
    const auto path = paths_.find(request.path);
    if (path == paths_.end()) co_return no_such_path(request);

    const auto& methods = path->second;
    const auto found = methods.find(request.method == Method::head ? Method::get : request.method);
    if (found == methods.end()) co_return no_such_method(request, allowed(methods));
    co_return co_await found->second(std::move(request));
}

}  // namespace fencepost::http
