#include "api/submit/other_owner.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "http/message/problem.hpp"

namespace fencepost::api {
namespace {

Task<std::optional<NodeId>> owner_of(Service* service, SubmitterId submitter) {
    const auto owner = co_await service->dependencies.queries.owner(submitter);
    if (owner && *owner) co_return **owner;
    co_return service->dependencies.placed_on ? service->dependencies.placed_on(submitter) : std::nullopt;
}

Task<std::optional<std::string>> address_of(Service* service, NodeId node) {
    const auto nodes = co_await service->dependencies.nodes.live(service->options.node_silence);
    if (!nodes) co_return std::nullopt;
    const auto found = std::ranges::find(*nodes, node, &NodeInfo::id);
    co_return found == nodes->end() ? std::nullopt : std::optional(found->address);
}

http::Response not_owner_problem(const std::string& detail) { return problem(http::ProblemKind::not_owner, detail); }

}  // namespace

bool is_served_elsewhere(const Service& service, const SubmitterId& submitter) {
    return service.dependencies.is_home_of && !service.dependencies.is_home_of(submitter);
}

Task<http::Response> not_owner(Service* service, SubmitterId submitter) {
    const auto owner = co_await owner_of(service, submitter);
    // Naming this node would send the caller in circles: it holds the lease, but is about to open or to close the lane.
    if (!owner || *owner == service->dependencies.node) {
        co_return not_owner_problem(
            fmt::format("This node does not serve {} now: retry in a moment, or use another node; "
                        "GET /api/v1/cluster lists them.",
                        submitter));
    }
    const auto address = co_await address_of(service, *owner);
    if (!address) {
        co_return not_owner_problem(
            fmt::format("{} was served by node {}, which has no recent heartbeat: retry in a moment, "
                        "here or on another node; GET /api/v1/cluster lists them.",
                        submitter, owner->value()));
    }
    co_return not_owner_problem(
        fmt::format("{} is served by node {}: send the request to {}.", submitter, owner->value(), *address));
}

}  // namespace fencepost::api
