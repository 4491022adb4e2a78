#include "http/router.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "http/message/problem.hpp"
#include "http/message/query.hpp"

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
    return problem(ProblemKind::not_found, fmt::format("The path {} does not exist.", request.path));
}

Response no_such_method(const Request& request, const std::string& allow) {
    auto response = problem(ProblemKind::method_not_allowed, fmt::format("{} supports {} only.", request.path, allow));
    response.headers.add("Allow", allow);
    return response;
}

Response invalid_encoding(const Request& request) {
    return problem(ProblemKind::malformed_request,
                   fmt::format("{} is not percent-encoded UTF-8 (RFC 3986, section 2.1).", request.path));
}

bool is_parameter(std::string_view part) { return part.starts_with('{') && part.ends_with('}'); }

// Takes the segment before the next slash off `path`.
std::string_view take_part(std::string_view& path) {
    const auto part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    return part;
}

bool matches(std::string_view pattern, std::string_view path) {
    if (std::ranges::count(pattern, '/') != std::ranges::count(path, '/')) return false;
    while (!pattern.empty()) {
        const auto wanted = take_part(pattern);
        const auto given = take_part(path);
        if (is_parameter(wanted) ? given.empty() : wanted != given) return false;
    }
    return true;
}

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::optional<Parameters> parameters_of(std::string_view pattern, std::string_view path) {
    Parameters parameters;
    while (!pattern.empty()) {
        const auto wanted = take_part(pattern);
        const auto given = take_part(path);
        if (!is_parameter(wanted)) continue;
        auto value = percent_decode(given);
        if (!value) return std::nullopt;
        parameters.emplace_back(wanted.substr(1, wanted.size() - 2), *std::move(value));
    }
    return parameters;
}

}  // namespace

void Router::add(Route route) {
    FP_ASSERT(route.method != Method::head, "GET answers HEAD");
    FP_ASSERT(route.method != Method::other);
    FP_ASSERT(route.path.starts_with('/'));
    auto& paths = route.path.contains('{') ? patterns_ : paths_;
    const bool added = paths[route.path].emplace(route.method, std::move(route.handler)).second;
    FP_ASSERT(added, "two handlers for {} {}", to_string(route.method), route.path);
}

const std::pair<const std::string, Router::Methods>* Router::find(std::string_view path) const {
    if (const auto exact = paths_.find(path); exact != paths_.end()) return &*exact;
    const auto pattern = std::ranges::find_if(patterns_, [path](const auto& one) { return matches(one.first, path); });
    return pattern == patterns_.end() ? nullptr : &*pattern;
}

Task<Response> Router::answer(Request request) const {
    const auto* const found = find(request.path);
    if (found == nullptr) co_return no_such_path(request);

    const auto& [pattern, methods] = *found;
    const auto method = methods.find(request.method == Method::head ? Method::get : request.method);
    if (method == methods.end()) co_return no_such_method(request, allowed(methods));
    auto parameters = parameters_of(pattern, request.path);
    if (!parameters) co_return invalid_encoding(request);
    request.parameters = *std::move(parameters);
    co_return co_await method->second(std::move(request));
}

std::vector<std::string> Router::listing() const {
    std::vector<std::string> lines;
    for (const auto* paths : {&paths_, &patterns_}) {
        for (const auto& [path, methods] : *paths) {
            for (const auto& [method, handler] : methods)
                lines.push_back(fmt::format("{} {}", to_string(method), path));
        }
    }
    std::ranges::sort(lines);
    return lines;
}

}  // namespace fencepost::http
