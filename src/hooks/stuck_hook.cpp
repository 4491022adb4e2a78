// Signs the request, posts it and reads the decision.
#include "hooks/stuck_hook.hpp"

#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/crypto/hmac.hpp"
#include "base/startup_error.hpp"
#include "base/text/hex.hpp"

namespace fencepost::hooks {
namespace {

namespace json = boost::json;

// Empty when the answer is not a valid decision.
std::optional<StuckDecision> read_decision(const std::string& answer) {
    boost::system::error_code error;
    const auto parsed = json::parse(answer, error);
    if (error || !parsed.is_object()) return std::nullopt;
    const auto* decision = parsed.get_object().if_contains("decision");
    if (decision == nullptr || !decision->is_string()) return std::nullopt;
    return value_of<StuckDecision>(std::string_view(decision->get_string()));
}

}  // namespace

std::string stuck_request(const StuckReport& report) {
    json::object question{{"transaction", fmt::format("{}", report.tx)},
                          {"submitter", report.submitter.to_string()},
                          {"nonce", report.nonce.value()},
                          {"hash", nullptr},
                          {"attempts", report.attempts},
                          {"ageSeconds", nullptr},
                          {"error", report.error}};
    if (report.latest) question["hash"] = to_hex_prefixed(report.latest->view());
    if (report.age) question["ageSeconds"] = std::chrono::duration_cast<std::chrono::seconds>(*report.age).count();
    return json::serialize(question);
}

StuckHook::StuckHook(HttpPoster& poster, Clock& clock, Log& log, StuckHookOptions options)
    : poster_(poster),
      clock_(clock),
      log_(log),
      options_(std::move(options)) {
    if (options_.secret.empty()) throw StartupError("the stuck-transaction hook needs a secret to sign its requests");
}

HttpPost StuckHook::sign(std::string body) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock_.unix_now().time_since_epoch());
    const auto timestamp = fmt::format("{}", seconds.count());
    const auto code = hmac_sha256(as_bytes(options_.secret.expose()), as_bytes(fmt::format("{}.{}", timestamp, body)));
    return {.body = std::move(body),
            .headers = {{std::string(timestamp_header), timestamp},
                        {std::string(signature_header), "sha256=" + to_hex(code)}}};
}

Task<StuckDecision> StuckHook::decide(StuckReport report) {
    const auto answer = co_await poster_.post(sign(stuck_request(report)), options_.limit);
    const auto decision = answer ? read_decision(*answer) : std::nullopt;
    if (decision) co_return *decision;
    const auto why = answer ? "the answer is not a decision" : std::string(name_of(answer.error()));
    log_.write(Severity::warning, "Stuck-transaction hook failed, using default decision",
               {{"submitter", report.submitter.to_string()},
                {"tx", fmt::format("{}", report.tx)},
                {"why", why},
                {"decision", std::string(name_of(options_.default_decision))}});
    co_return options_.default_decision;
}

}  // namespace fencepost::hooks
