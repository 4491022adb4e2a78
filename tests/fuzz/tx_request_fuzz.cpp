// Request bodies come from any caller. No text may crash the parser; invalid input is refused as such in a short
// answer, and accepted input can be shown to its caller.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/json/json_output.hpp"
#include "api/submit/tx_request.hpp"
#include "base/assert.hpp"
#include "http/message/query.hpp"

namespace fencepost::api {
namespace {

constexpr std::size_t longest_answer = 20'000;

void check_refusal(const http::Response& answer) {
    FP_ASSERT(answer.status == http::StatusCode::unprocessable_content);
    FP_ASSERT(answer.body.size() < longest_answer, "the refusal has {} bytes", answer.body.size());
}

void check_request(std::string_view body, const TxRequestRules& rules) {
    const auto request = read_tx_request(body, rules);
    if (!request) return check_refusal(request.error());
    FP_ASSERT(request->submitter.chain() == rules.chains.front().second);
    FP_ASSERT(request->intent.to || !request->intent.data.empty(), "a deployment without data");
    const TxView view{
        .id = {}, .submitter = request->submitter, .request = request->request, .intent = request->intent};
    FP_ASSERT(tx_json(view, 0, Detail::admin).starts_with('{'));
}

}  // namespace
}  // namespace fencepost::api

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fencepost;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const api::TxRequestRules rules{.chains = {{"dev", ChainRef::evm(31'337)}}, .require_request_id = false};
    api::check_request(text, rules);
    if (const auto batch = api::read_tx_batch(text, rules, 1'000); !batch) api::check_refusal(batch.error());
    if (const auto reason = api::read_reason(text); !reason) api::check_refusal(reason.error());
    const auto query = http::Query::parse(text);
    FP_ASSERT(query.has_value() || !query.error().what.empty());
    return 0;
}
