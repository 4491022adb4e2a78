#include "cli/refusal.hpp"

#include <array>
#include <chrono>
#include <string_view>

#include <fmt/format.h>

#include "cli/json_fields.hpp"

namespace fencepost::cli {
namespace {

constexpr std::string_view type_prefix = "urn:fencepost:problem:";
constexpr unsigned too_many_requests = 429;
constexpr unsigned unavailable = 503;

struct ProblemAdvice {
    std::string_view kind;
    std::string_view what;
};
constexpr std::array<ProblemAdvice, 8> advices{{
    {"unauthorized", "set --key-file to the file with your API key, or set FENCEPOST_API_KEY to the key"},
    {"forbidden", "use an API key with the required scope and submitter"},
    {"submitter-paused", "resume the submitter (fencepost submitter resume), or send from another one"},
    {"submitter-protected",
     "check the reason (fencepost submitter show), then lift the protection (fencepost submitter unprotect)"},
    {"not-owner", "send the request to the node that serves the submitter; fencepost submitter show names it"},
    {"request-id-reused", "use another --request-id for another transaction"},
    {"nonce-not-accepted", "omit the nonce: Fencepost assigns it"},
    {"body-too-large", "send fewer transactions per request, or less data"},
}};

std::string advice_for(std::string_view type, const ApiAnswer& answer) {
    if (is_retryable(answer)) {
        if (!answer.retry_after) return "retry in a moment";
        return fmt::format("retry in {} s", std::chrono::ceil<std::chrono::seconds>(*answer.retry_after).count());
    }
    for (const auto& [kind, what] : advices) {
        if (type == kind) return std::string(what);
    }
    return "";
}

std::string with_stop(std::string text) {
    if (!text.empty() && !std::string_view(".!?").contains(text.back())) text += '.';
    return text;
}

std::string not_fencepost(const ApiAnswer& answer, const std::string& server) {
    return fmt::format("fencepost: {} answered with status {}, which is not a Fencepost response: \"{}\".\n", server,
                       answer.status, jsonrpc::excerpt(answer.body, {})) +
           "  to do: check --url or FENCEPOST_URL, and any proxy in between.\n";
}

}  // namespace

bool is_retryable(const ApiAnswer& answer) {
    return answer.status == too_many_requests || answer.status == unavailable;
}

std::string explain_refusal(const ApiAnswer& answer, const std::string& server) {
    const auto document = parse_document(answer.body);
    const auto type = document ? text_at(*document, "/type") : "";
    if (!type.starts_with(type_prefix)) return not_fencepost(answer, server);

    const auto detail = text_at(*document, "/detail");
    auto text = fmt::format("fencepost: {}\n", with_stop(detail.empty() ? text_at(*document, "/title") : detail));
    for (const auto& error : array_at(*document, "/errors")) {
        const auto what = text_at(error, "/detail");
        if (!detail.contains(what)) text += fmt::format("  {}: {}\n", text_at(error, "/field"), what);
    }
    const auto advice = advice_for(std::string_view(type).substr(type_prefix.size()), answer);
    if (!advice.empty()) text += fmt::format("  to do: {}.\n", advice);
    return text;
}

std::string explain_no_answer(const jsonrpc::Failure& failure, const std::string& server) {
    const std::string_view to_do =
        failure.what.contains("certificate")
            ? "set --ca-file to the certificate authority that signed it"
            : "check that the server runs (fencepost serve), and that --url or FENCEPOST_URL is right";
    return fmt::format("fencepost: {} cannot be reached: {}.\n  to do: {}.\n", server, failure.what, to_do);
}

}  // namespace fencepost::cli
