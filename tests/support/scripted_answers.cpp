#include "support/scripted_answers.hpp"

#include <algorithm>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace fencepost::test {
namespace {

namespace json = boost::json;

json::object error_object(const jsonrpc::ErrorAnswer& error) {
    json::object object{{"code", error.code}, {"message", error.message}};
    if (!error.data.is_null()) object["data"] = error.data;
    return object;
}

json::object answer_to(const json::value& call, const Behaviour& behaviour, const CallHandler& handler) {
    const auto* const object = call.if_object();
    const auto* const method = object != nullptr ? object->if_contains("method") : nullptr;
    json::object answer{{"jsonrpc", "2.0"}};
    if (method == nullptr || !method->is_string()) {
        answer["id"] = nullptr;
        answer["error"] = error_object({-32600, "invalid request", {}});
        return answer;
    }
    const auto* const params = object->if_contains("params");
    const auto result =
        handler(method->get_string(), params != nullptr && params->is_array() ? params->get_array() : json::array());
    const auto* const id = object->if_contains("id");
    answer["id"] = id != nullptr ? *id : json::value(nullptr);
    if (behaviour.mode == AnswerMode::wrong_id) answer["id"] = 987'654'321;
    if (result) {
        answer["result"] = *result;
        if (behaviour.mode == AnswerMode::both_members) answer["error"] = error_object({-32000, "unexpected", {}});
    } else {
        answer["error"] = error_object(result.error());
        if (behaviour.mode == AnswerMode::both_members) answer["result"] = "unexpected";
    }
    return answer;
}

json::array answers_to(const ParsedCalls& parsed, const Behaviour& behaviour, const CallHandler& handler) {
    json::array answers;
    for (const auto& call : parsed.calls)
        answers.emplace_back(answer_to(call, behaviour, handler));
    if (answers.empty()) return answers;
    if (behaviour.mode == AnswerMode::reversed) std::ranges::reverse(answers);
    if (behaviour.mode == AnswerMode::missing_last) answers.pop_back();
    if (behaviour.mode == AnswerMode::duplicate_ids) answers.insert(answers.begin(), json::value(answers.front()));
    return answers;
}

std::string nested(std::size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"result":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

}  // namespace

ParsedCalls parse_calls(const std::string& body) {
    boost::system::error_code error;
    const auto value = json::parse(body, error);
    if (error) return {};
    if (value.is_array()) return {.calls = value.get_array(), .is_batch = true};
    return {.calls = {value}};
}

std::vector<std::string> methods_of(const ParsedCalls& parsed) {
    std::vector<std::string> methods;
    for (const auto& call : parsed.calls) {
        const auto* const method = call.is_object() ? call.get_object().if_contains("method") : nullptr;
        if (method != nullptr && method->is_string()) methods.emplace_back(method->get_string());
    }
    return methods;
}

std::string answer_body(const ParsedCalls& parsed, const Behaviour& behaviour, const CallHandler& handler) {
    if (behaviour.mode == AnswerMode::deep_json) return nested(behaviour.size);
    if (behaviour.mode == AnswerMode::html) return "<!DOCTYPE html><html><body><h1>Welcome!</h1></body></html>";
    if (behaviour.mode == AnswerMode::one_error) {
        const auto message = behaviour.text.empty() ? "batch too large" : behaviour.text;
        return json::serialize(
            json::object{{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", error_object({-32600, message, {}})}});
    }
    const auto answers = answers_to(parsed, behaviour, handler);
    if (parsed.is_batch || answers.size() > 1) return json::serialize(answers);
    return answers.empty() ? "" : json::serialize(answers.front());
}

std::string http_response(unsigned status, std::string_view content_type, std::string_view body,
                          std::string_view extra) {
    return fmt::format("HTTP/1.1 {} Scripted\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n{}", status,
                       content_type, body.size(), extra, body);
}

}  // namespace fencepost::test
