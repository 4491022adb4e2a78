// A node may send anything. Each call must get exactly one answer, and neither the HTTP parser nor the matching of
// answers to calls may crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "jsonrpc/answers.hpp"
#include "jsonrpc/http_response.hpp"
#include "jsonrpc/retry_after.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::jsonrpc {
namespace {

constexpr std::size_t max_depth = 32;
constexpr std::size_t max_body = 1024;

void check_answers(std::string_view text) {
    for (const std::size_t count : {1U, 3U}) {
        const auto answers = match_answers(text, {.first = 1, .count = count}, max_depth, {"secret"});
        FP_ASSERT(answers.size() == count);
        for (const auto& answer : answers) {
            if (answer) continue;
            const auto* const failure = std::get_if<Failure>(&answer.error());
            FP_ASSERT(failure == nullptr || failure->kind == Failure::Kind::malformed);
        }
    }
}

// The parsed response must not depend on how the bytes are split.
struct Outcome {
    bool complete = false;
    bool failed = false;
    unsigned status = 0;
    std::string body{};
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(std::string_view first, std::string_view second) {
    ResponseParser parser(max_body);
    for (const auto part : {first, second}) {
        const auto complete = parser.feed(part);
        if (!complete) return {.failed = true};
        if (!*complete) continue;
        auto response = parser.take();
        FP_ASSERT(response.body.size() <= max_body);
        return {.complete = true, .status = response.status, .body = std::move(response.body)};
    }
    return {.failed = !parser.end().has_value()};
}

void check_response(std::string_view bytes) {
    const auto whole = read(bytes, "");
    FP_ASSERT(read(bytes.substr(0, bytes.size() / 2), bytes.substr(bytes.size() / 2)) == whole);
    if (whole.complete) check_answers(whole.body);
}

void check_texts(std::string_view text) {
    if (const auto wait = parse_retry_after(text, UnixTime{})) {
        FP_ASSERT(*wait >= Duration::zero() && *wait <= max_retry_after);
    }
    const auto url = Url::parse(text);
    if (url) FP_ASSERT(!url->host.empty() && url->target.starts_with('/'));
}

}  // namespace
}  // namespace fencepost::jsonrpc

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fencepost::jsonrpc::check_answers(text);
    fencepost::jsonrpc::check_response(text);
    fencepost::jsonrpc::check_texts(text);
    return 0;
}
