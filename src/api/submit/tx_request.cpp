#include "api/submit/tx_request.hpp"

#include <utility>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/json/json_input.hpp"
#include "api/submit/payload.hpp"
#include "codec/abi/abi_value.hpp"

namespace fencepost::api {
namespace {

using http::problem;
using http::ProblemKind;
using Chains = std::vector<std::pair<std::string, ChainRef>>;

std::string named(const Chains& chains) {
    std::string text;
    for (const auto& [name, ref] : chains)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", ref.to_string(), name);
    return text.empty() ? "none" : text;
}

bool is_served(const ChainRef& ref, const Chains& chains) {
    return std::ranges::any_of(chains, [&ref](const auto& chain) { return chain.second == ref; });
}

std::optional<SubmitterId> find_submitter(JsonFields& fields, const TxRequestRules& rules) {
    const auto text = fields.text("submitter");
    if (!text) {
        if (!fields.has("submitter")) fields.refuse("submitter", "is missing: the account that sends");
        return std::nullopt;
    }
    auto submitter = read_submitter(*text, rules.chains);
    if (submitter) return *std::move(submitter);
    fields.refuse("submitter", submitter.error().what);
    return std::nullopt;
}

std::optional<RequestId> find_request_id(JsonFields& fields, const TxRequestRules& rules) {
    const auto text = fields.text("requestId");
    const auto& key = rules.idempotency_key;
    if (text && key && *text != *key) {
        fields.refuse("requestId", "differs from the header Idempotency-Key: send one of them");
    } else if (!fields.has("requestId") && !key && rules.require_request_id) {
        fields.refuse("requestId",
                      "is missing: your own id for this request, which makes it safe to "
                      "retry (or send the header Idempotency-Key)");
    }
    if (text) return RequestId(*text);
    if (key) return RequestId(*key);
    return std::nullopt;
}

Result<TxRequest, http::Response> read_item(const json::value& item, const TxRequestRules& rules) {
    const auto* const object = item.if_object();
    if (object == nullptr) {
        return err(problem(ProblemKind::invalid_request,
                           fmt::format("A transaction must be an object, not {}.", codec::kind_in_words(item))));
    }
    FieldErrors field_errors;
    JsonFields fields(*object, "", field_errors);
    auto submitter = find_submitter(fields, rules);
    auto request = find_request_id(fields, rules);
    Intent intent;
    if (const auto* payload = fields.object("payload")) {
        intent = read_payload(*payload, field_errors);
    } else if (!fields.has("payload")) {
        fields.refuse("payload", "is missing: what to send, for example {\"to\": \"0x…\", \"value\": \"1\"}");
    }
    fields.refuse_unknown_fields();
    if (field_errors.any()) return err(field_errors.to_problem());
    return TxRequest{*std::move(submitter), std::move(request), std::move(intent)};
}

auto not_json(const ParseError& error) { return err(problem(ProblemKind::invalid_request, error.what)); }

}  // namespace

Result<SubmitterId, ParseError> read_submitter(std::string_view text, const Chains& chains) {
    std::string full(text);
    if (text.starts_with("0x")) {
        if (chains.size() != 1) {
            return err(ParseError{
                fmt::format("is an address without a chain, and this node serves {} chains: write one of {} and a "
                            "colon before it",
                            chains.size(), named(chains))});
        }
        full = fmt::format("{}:{}", chains.front().second.to_string(), text);
    }
    auto submitter = SubmitterId::parse(full);
    if (!submitter) return submitter;
    if (is_served(submitter->chain(), chains)) return submitter;
    return err(ParseError{fmt::format("belongs to the chain {}, which this node does not serve; it serves {}",
                                      submitter->chain().to_string(), named(chains))});
}

Result<TxRequest, http::Response> read_tx_request(std::string_view body, const TxRequestRules& rules) {
    const auto value = parse_json(body);
    if (!value) return not_json(value.error());
    return read_item(*value, rules);
}

Result<TxRequests, http::Response> read_tx_batch(std::string_view body, const TxRequestRules& rules,
                                                 std::size_t max_items) {
    const auto value = parse_json(body);
    if (!value) return not_json(value.error());
    FieldErrors field_errors;
    const json::object none;
    const auto* const object = value->if_object();
    JsonFields fields(object == nullptr ? none : *object, "", field_errors);
    const auto* const items = fields.array("items");
    if (items == nullptr && !field_errors.any()) fields.refuse("items", "is missing: an array of transactions");
    if (items != nullptr && items->empty()) fields.refuse("items", "is empty");
    if (items != nullptr && items->size() > max_items) {
        fields.refuse("items", fmt::format("has {} items: a batch has at most {}", items->size(), max_items));
    }
    fields.refuse_unknown_fields();
    if (rules.idempotency_key) {
        field_errors.add("Idempotency-Key", "is for a single transaction: give each item a requestId instead");
    }
    if (field_errors.any()) return err(field_errors.to_problem());
    TxRequests requests;
    requests.reserve(items->size());
    for (const auto& item : *items)
        requests.push_back(read_item(item, rules));
    return requests;
}

Result<std::string, http::Response> read_reason(std::string_view body) {
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::string{};
    const auto value = parse_json(body);
    if (!value) return not_json(value.error());
    const auto* const object = value->if_object();
    if (object == nullptr) {
        return err(problem(ProblemKind::invalid_request, "The body must be an object, such as {\"reason\": \"…\"}."));
    }
    FieldErrors field_errors;
    JsonFields fields(*object, "", field_errors);
    auto reason = fields.text("reason").value_or("");
    constexpr std::size_t longest = 1'000;
    if (reason.size() > longest) fields.refuse("reason", fmt::format("is longer than {} bytes", longest));
    fields.refuse_unknown_fields();
    if (field_errors.any()) return err(field_errors.to_problem());
    return reason;
}

}  // namespace fencepost::api
