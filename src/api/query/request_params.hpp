// What several routes ask in the same way, and the problem to answer with where it cannot be had.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/service.hpp"
#include "base/result.hpp"
#include "http/message/problem.hpp"
#include "http/message/query.hpp"

namespace fencepost::api {

template <typename T>
using OrProblem = Result<T, http::Response>;

[[nodiscard]] http::Response store_problem(StoreError error);
[[nodiscard]] http::Response forbidden_submitter(const SubmitterId& submitter);
[[nodiscard]] http::Response wrong_field(std::string field, std::string detail);

/// The query of a request, of which every name must be one of these.
[[nodiscard]] OrProblem<http::Query> read_query(const http::Request& request, const std::vector<std::string>& names);

/// The submitter that is named by text, if this caller may ask about it.
[[nodiscard]] OrProblem<SubmitterId> read_submitter(const Service& service, const Caller& caller, std::string_view text,
                                                    std::string field);

/// The transaction that the path names; 404 where there is none, 403 where it is not this caller's business.
[[nodiscard]] Task<OrProblem<TxView>> find_tx(Service* service, Caller caller, std::string id);

/// How many blocks stand above the one it is in, as far as this node knows.
[[nodiscard]] std::uint64_t confirmations_of(const Service& service, const TxView& tx);

/// As this caller may see it.
[[nodiscard]] std::string shown_tx(const Service& service, const Caller& caller, const TxView& tx);

/// Which part of a list is wanted: "limit=", and "after=", the "next" of the part before.
struct Page {
    std::size_t limit = 50;
    std::string after{};
};
[[nodiscard]] OrProblem<Page> read_page(const http::Query& query);

/// 415 unless the body says that it is JSON.
[[nodiscard]] std::optional<http::Response> refuse_other_media(const http::Request& request);

}  // namespace fencepost::api
