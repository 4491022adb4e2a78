// Whatever a caller sends as the body of POST /api/v1/tx is either refused with a problem that names the error, or
// accepted as an intent that a lane can process; and it has only one interpretation.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "api/submit/tx_request.hpp"
#include "base/assert.hpp"
#include "codec/abi/abi_call.hpp"
#include "domain/address.hpp"

namespace fencepost::api {
namespace {

constexpr std::size_t max_items = 4;

void check_refusal(const http::Response& response) {
    FP_ASSERT(response.status == http::StatusCode::unprocessable_content);
    FP_ASSERT(response.content_type == "application/problem+json");
    constexpr std::size_t more_than_helps = 20'000;
    FP_ASSERT(response.body.size() < more_than_helps, "the answer does not repeat the caller's input at length");
}

void check_request(const TxRequest& request) {
    FP_ASSERT(request.submitter.chain().evm_chain_id() == 31337U);
    FP_ASSERT(SubmitterId::parse(request.submitter.to_string()) == request.submitter);
    const auto& intent = request.intent;
    if (intent.to) FP_ASSERT(Address::parse(*intent.to).value().to_lower() == *intent.to);
    FP_ASSERT(intent.to || !intent.data.empty(), "a deployment without data");
    FP_ASSERT(intent.data.size() <= codec::max_abi_call);
    if (const auto* fees = std::get_if<Fees>(&intent.fee)) FP_ASSERT(max_priority_fee(*fees) <= max_fee(*fees));
}

void check(const Result<TxRequest, http::Response>& read) {
    if (read) {
        check_request(*read);
    } else {
        check_refusal(read.error());
    }
}

void check_body(std::string_view body) {
    const TxRequestRules rules{.chains = {{"local", ChainRef::evm(31337)}}};
    const auto read = read_tx_request(body, rules);
    check(read);
    const auto again = read_tx_request(" " + std::string(body) + "\n", rules);
    FP_ASSERT(again.has_value() == read.has_value());
    if (read) FP_ASSERT(fingerprint(again->intent) == fingerprint(read->intent));

    const auto batch = read_tx_batch(body, rules, max_items);
    if (!batch) check_refusal(batch.error());
    FP_ASSERT(!batch || batch->size() <= max_items);
    if (batch) {
        for (const auto& item : *batch)
            check(item);
    }
    if (const auto reason = read_reason(body); !reason) check_refusal(reason.error());
}

}  // namespace
}  // namespace fencepost::api

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fencepost::api::check_body({reinterpret_cast<const char*>(data), size});
    return 0;
}
