// A request to submit a transaction, read from JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "domain/intent.hpp"
#include "domain/submitter_id.hpp"
#include "http/message/message.hpp"

namespace fencepost::api {

struct TxRequest {
    SubmitterId submitter;
    std::optional<RequestId> request;
    Intent intent;
};

/// The rules for reading a request.
struct TxRequestRules {
    /// The chains that this node serves, by name and id. With a single chain, an address alone is enough.
    std::vector<std::pair<std::string, ChainRef>> chains{};
    bool require_request_id = true;
    /// The header Idempotency-Key, which may replace the field requestId.
    std::optional<std::string> idempotency_key{};
};

/// Parses a submitter as callers write it; the error says which forms are accepted.
[[nodiscard]] Result<SubmitterId, ParseError> read_submitter(
    std::string_view text, const std::vector<std::pair<std::string, ChainRef>>& chains);

/// The request, or the problem to return.
[[nodiscard]] Result<TxRequest, http::Response> read_tx_request(std::string_view body, const TxRequestRules& rules);

/// One result per item, in order; one problem for the whole batch when it is empty or too large.
using TxRequests = std::vector<Result<TxRequest, http::Response>>;
[[nodiscard]] Result<TxRequests, http::Response> read_tx_batch(std::string_view body, const TxRequestRules& rules,
                                                               std::size_t max_items);

/// {"reason": "…"}, or an empty body.
[[nodiscard]] Result<std::string, http::Response> read_reason(std::string_view body);

}  // namespace fencepost::api
