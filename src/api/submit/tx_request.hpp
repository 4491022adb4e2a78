// What a caller may ask for when it hands in a transaction, read from JSON.
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

/// What a request is read by.
struct TxRequestRules {
    /// The chains that are served, by name and id: an address alone is enough where there is one.
    std::vector<std::pair<std::string, ChainRef>> chains{};
    bool require_request_id = true;
    /// The header Idempotency-Key, which may stand for the field requestId.
    std::optional<std::string> idempotency_key{};
};

/// The submitter as callers write it; the error says what to write.
[[nodiscard]] Result<SubmitterId, ParseError> read_submitter(
    std::string_view text, const std::vector<std::pair<std::string, ChainRef>>& chains);

/// The problem to answer with where it cannot be taken as it is.
[[nodiscard]] Result<TxRequest, http::Response> read_tx_request(std::string_view body, const TxRequestRules& rules);

/// One for each item, in order; a problem for the whole where there are no items, or too many.
using TxRequests = std::vector<Result<TxRequest, http::Response>>;
[[nodiscard]] Result<TxRequests, http::Response> read_tx_batch(std::string_view body, const TxRequestRules& rules,
                                                               std::size_t max_items);

/// {"reason": "…"}, or no body at all.
[[nodiscard]] Result<std::string, http::Response> read_reason(std::string_view body);

}  // namespace fencepost::api
