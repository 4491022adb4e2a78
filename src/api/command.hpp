// Asking something of a lane: the command is written down by whichever node was asked, and the lane does it under its
// fence. Shared by the routes, of which each is one kind of command.
#pragma once

#include <optional>
#include <string_view>

#include "api/service.hpp"

namespace fencepost::api {

/// Of a transaction. `refuse` says which ones it makes no sense for, and why.
struct TxAct {
    CommandKind kind{};
    std::string_view name;  // as the path has it
    Scope scope = Scope::write;
    std::optional<http::Response> (*refuse)(const TxView& tx) = nullptr;
};
[[nodiscard]] http::Route route_of(Service& service, TxAct act);

/// Of a submitter; for those who look after the service.
struct SubmitterAct {
    CommandKind kind{};
    std::string_view name;
};
[[nodiscard]] http::Route route_of(Service& service, SubmitterAct act);

/// For most acts on a transaction: it must not have its verdict, unless a reorg removed its block.
[[nodiscard]] std::optional<http::Response> refuse_settled(const TxView& tx);
/// Besides, it must have been sent, and not be in a block yet.
[[nodiscard]] std::optional<http::Response> refuse_unless_in_flight(const TxView& tx);

}  // namespace fencepost::api
