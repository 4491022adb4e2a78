// Encodes calls and matches answers to them by id.
#include "jsonrpc/answers.hpp"

#include <optional>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "jsonrpc/url.hpp"

namespace fencepost::jsonrpc {
namespace {

namespace json = boost::json;

constexpr std::int64_t invalid_request = -32600;

Failure malformed(std::string what) { return {.kind = Failure::Kind::malformed, .what = std::move(what)}; }

std::string encode_call(const Request& call, std::uint64_t id) {
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":{},"params":{}}})", id,
                       json::serialize(json::string(call.method)), json::serialize(call.params));
}

// Some servers write "error":null next to a result, and "result":null next to an error, against the specification.
const json::value* member(const json::object& object, std::string_view name) {
    const auto* const value = object.if_contains(name);
    return value != nullptr && !value->is_null() ? value : nullptr;
}

std::optional<ErrorAnswer> error_of(const json::value& value) {
    const auto* const object = value.if_object();
    if (object == nullptr) return std::nullopt;
    const auto* const code = object->if_contains("code");
    const auto* const message = object->if_contains("message");
    ErrorAnswer answer;
    if (code != nullptr && code->is_int64()) answer.code = code->get_int64();
    if (message != nullptr && message->is_string()) answer.message = message->get_string();
    if (answer.code == 0 && answer.message.empty()) return std::nullopt;
    if (const auto* const data = object->if_contains("data")) answer.data = *data;
    return answer;
}

Answer answer_of(json::object& object) {
    const auto* const error = member(object, "error");
    if (error != nullptr && member(object, "result") != nullptr) {
        return err(Error(malformed("the response has both a result and an error")));
    }
    if (error != nullptr) {
        auto answer = error_of(*error);
        if (!answer) return err(Error(malformed("the response's error has neither a code nor a message")));
        return err(Error(std::move(*answer)));
    }
    auto* const result = object.if_contains("result");
    if (result == nullptr) return err(Error(malformed("the response has neither a result nor an error")));
    return std::move(*result);
}

std::optional<std::size_t> index_of(const json::object& object, const IdRange& ids) {
    const auto* const id = object.if_contains("id");
    if (id == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    if (id->is_uint64()) {
        number = id->get_uint64();
    } else if (id->is_int64() && id->get_int64() >= 0) {
        number = static_cast<std::uint64_t>(id->get_int64());
    } else {
        return std::nullopt;
    }
    if (number < ids.first || number - ids.first >= ids.count) return std::nullopt;
    return number - ids.first;
}

std::vector<Answer> match_array(json::array& items, const IdRange& ids) {
    auto answers = same_failure(malformed("the server did not answer this call"), ids.count);
    std::vector<bool> answered(ids.count, false);
    for (auto& item : items) {
        auto* const object = item.if_object();
        const auto index = object != nullptr ? index_of(*object, ids) : std::nullopt;
        if (!index) continue;
        answers[*index] = answered[*index] ? Answer(err(Error(malformed("the server answered this call twice"))))
                                           : answer_of(*object);
        answered[*index] = true;
    }
    return answers;
}

// An error about the whole request: a single object that belongs to no particular call.
std::optional<ErrorAnswer> error_of_all(const json::object& object, const IdRange& ids) {
    const auto* const error = member(object, "error");
    if (error == nullptr || member(object, "result") != nullptr) return std::nullopt;
    if (ids.count == 1 && member(object, "id") != nullptr) return std::nullopt;
    return error_of(*error);
}

// geth refuses a batch with an array of one error, which has the id of the first call.
std::optional<ErrorAnswer> refusal_of_all(const json::array& items, const IdRange& ids) {
    if (items.size() != 1 || ids.count == 1 || !items.front().is_object()) return std::nullopt;
    auto refusal = error_of_all(items.front().get_object(), ids);
    return refusal && refusal->code == invalid_request ? refusal : std::nullopt;
}

std::vector<Answer> match_value(json::value& value, const IdRange& ids) {
    std::optional<ErrorAnswer> for_all;
    if (const auto* const items = value.if_array()) for_all = refusal_of_all(*items, ids);
    if (const auto* const object = value.if_object()) for_all = error_of_all(*object, ids);
    if (for_all) return std::vector<Answer>(ids.count, err(Error(*for_all)));
    if (auto* const items = value.if_array()) return match_array(*items, ids);
    if (!value.is_object() || ids.count != 1) return same_failure(malformed("the response is not JSON-RPC"), ids.count);
    auto& object = value.get_object();
    if (!index_of(object, ids)) return same_failure(malformed("the response has the id of another call"), 1);
    std::vector<Answer> answers;
    answers.push_back(answer_of(object));
    return answers;
}

}  // namespace

std::string encode_calls(std::span<const Request> calls, std::uint64_t first_id) {
    if (calls.size() == 1) return encode_call(calls.front(), first_id);
    std::string text = "[";
    for (const auto& call : calls) {
        if (text.size() > 1) text.push_back(',');
        text += encode_call(call, first_id++);
    }
    return text + "]";
}

std::vector<Answer> same_failure(const Failure& failure, std::size_t count) {
    return std::vector<Answer>(count, err(Error(failure)));
}

std::vector<Answer> match_answers(std::string_view text, IdRange ids, std::size_t max_depth,
                                  const std::vector<std::string>& secrets) {
    json::parse_options options;
    options.max_depth = max_depth;
    boost::system::error_code error;
    auto value = json::parse(text, error, {}, options);
    if (error == json::error::too_deep) {
        return same_failure(malformed(fmt::format("the response is nested deeper than {}", max_depth)), ids.count);
    }
    if (error) {
        return same_failure(malformed(fmt::format("the response is not JSON: \"{}\"", excerpt(text, secrets))),
                            ids.count);
    }
    return match_value(value, ids);
}

}  // namespace fencepost::jsonrpc
