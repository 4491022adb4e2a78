// Parameters that several routes read in the same way, with the problem to return when one is invalid.
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

/// The query of a request; `names` lists the allowed parameters.
[[nodiscard]] OrProblem<http::Query> read_query(const http::Request& request, const std::vector<std::string>& names);

/// Parses the submitter and checks that the caller may use it.
[[nodiscard]] OrProblem<SubmitterId> read_submitter(const Service& service, const Caller& caller, std::string_view text,
                                                    std::string field);

/// The transaction in the path; 404 when it does not exist, 403 when the caller may not see it.
[[nodiscard]] Task<OrProblem<TxView>> find_tx(Service* service, Caller caller, std::string id);

/// The number of blocks above the transaction's block that this node knows of.
[[nodiscard]] std::uint64_t confirmations_of(const Service& service, const TxView& tx);

/// The transaction as JSON, with the detail that the caller may see.
[[nodiscard]] std::string tx_json_for(const Service& service, const Caller& caller, const TxView& tx);

/// A page of a list: "limit=", and "after=", the "next" of the page before.
struct Page {
    std::size_t limit = 50;
    std::string after{};
};
[[nodiscard]] OrProblem<Page> read_page(const http::Query& query);

/// 415 unless the Content-Type is JSON.
[[nodiscard]] std::optional<http::Response> refuse_non_json(const http::Request& request);

}  // namespace fencepost::api
