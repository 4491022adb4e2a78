#include "api/json/json_input.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/nearest.hpp"
#include "base/text/printable.hpp"
#include "codec/abi/abi_value.hpp"

namespace fencepost::api {
namespace {

using codec::kind_in_words;
using Error = boost::system::error_code;

/// Finds duplicate names in an object. A parser that keeps the last one, and a proxy that keeps the first, would read
/// two different requests. (The library's own parser accepts duplicates.)
struct DuplicateFinder {
    static constexpr std::size_t max_object_size = std::string::npos;
    static constexpr std::size_t max_array_size = std::string::npos;
    static constexpr std::size_t max_key_size = std::string::npos;
    static constexpr std::size_t max_string_size = std::string::npos;

    bool on_document_begin(Error& /*e*/) { return true; }
    bool on_document_end(Error& /*e*/) { return true; }
    bool on_object_begin(Error& /*e*/) {
        names.emplace_back();
        return true;
    }
    bool on_object_end(std::size_t /*n*/, Error& /*e*/) {
        names.pop_back();
        return true;
    }
    bool on_array_begin(Error& /*e*/) { return true; }
    bool on_array_end(std::size_t /*n*/, Error& /*e*/) { return true; }
    bool on_key_part(std::string_view part, std::size_t /*n*/, Error& /*e*/) {
        key += part;
        return true;
    }
    bool on_key(std::string_view part, std::size_t /*n*/, Error& e) {
        key += part;
        if (names.back().insert(key).second) {
            key.clear();
            return true;
        }
        twice = key;
        e = make_error_code(boost::system::errc::invalid_argument);
        return false;
    }
    bool on_string_part(std::string_view /*part*/, std::size_t /*n*/, Error& /*e*/) { return true; }
    bool on_string(std::string_view /*part*/, std::size_t /*n*/, Error& /*e*/) { return true; }
    bool on_number_part(std::string_view /*part*/, Error& /*e*/) { return true; }
    bool on_int64(std::int64_t /*v*/, std::string_view /*s*/, Error& /*e*/) { return true; }
    bool on_uint64(std::uint64_t /*v*/, std::string_view /*s*/, Error& /*e*/) { return true; }
    bool on_double(double /*v*/, std::string_view /*s*/, Error& /*e*/) { return true; }
    bool on_bool(bool /*b*/, Error& /*e*/) { return true; }
    bool on_null(Error& /*e*/) { return true; }
    bool on_comment_part(std::string_view /*s*/, Error& /*e*/) { return true; }
    bool on_comment(std::string_view /*s*/, Error& /*e*/) { return true; }

    std::vector<std::set<std::string>> names;
    std::string key;
    std::optional<std::string> twice;
};

json::parse_options strict() {
    json::parse_options options;
    options.max_depth = max_json_depth;
    return options;
}

bool is_nonce(std::string_view name) {
    return std::ranges::equal(name, std::string_view("nonce"),
                              [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

// Names that other programs use for these fields; the spelling alone would not suggest them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> other_names{{
    {"gasLimit", "gas"},
    {"gasPrice", "fee"},
    {"maxFeePerGas", "fee"},
    {"maxPriorityFeePerGas", "fee"},
    {"speed", "fee"},
    {"from", "submitter"},
    {"amount", "value"},
    {"input", "data"},
    {"arguments", "args"},
    {"params", "args"},
    {"idempotencyKey", "requestId"},
    {"transactions", "items"},
}};

std::optional<std::string> meant_by(std::string_view name, const std::vector<std::string>& known) {
    const auto* const other = std::ranges::find(other_names, name, [](const auto& pair) { return pair.first; });
    if (other != other_names.end() && std::ranges::find(known, other->second) != known.end()) {
        return std::string(other->second);
    }
    return nearest(name, known);
}

// Above this value a program that reads numbers as doubles, the caller's own or a proxy, may have rounded the number.
constexpr std::int64_t max_exact = (std::int64_t{1} << 53U) - 1;

Result<Uint256, ParseError> read_amount(const json::value& value) {
    if (const auto* text = value.if_string()) return Uint256::parse(*text);
    const auto* const number = value.if_int64();
    if (number != nullptr && *number < 0) return err(ParseError{"must not be negative"});
    if (number != nullptr && *number <= max_exact) return Uint256(static_cast<std::uint64_t>(*number));
    if (value.is_number()) {
        return err(
            ParseError{"is a JSON number that is not an integer below 2^53, and may have lost digits on its "
                       "way: send it as a string of decimal digits"});
    }
    return err(ParseError{fmt::format("must be a string of decimal digits, not {}", kind_in_words(value))});
}

}  // namespace

Result<json::value, ParseError> parse_json(std::string_view text) {
    json::basic_parser<DuplicateFinder> finder(strict());
    Error error;
    const auto read = finder.write_some(false, text.data(), text.size(), error);
    if (finder.handler().twice) {
        return err(
            ParseError{fmt::format("The body has the field \"{}\" twice in one object.", *finder.handler().twice)});
    }
    if (!error && read < text.size()) error = json::error::extra_data;
    if (error) return err(ParseError{fmt::format("The body is not JSON: {} at byte {}.", error.message(), read)});
    auto value = json::parse(text, error, {}, strict());
    if (error) return err(ParseError{fmt::format("The body is not JSON: {}.", error.message())});
    return value;
}

// Errors quote the caller's own text, but only a limited part of it.
void FieldErrors::add(std::string_view field, std::string_view detail) {
    if (is_full()) return;
    errors.push_back({printable(as_bytes(field), 100), printable(as_bytes(detail), 400)});
}

http::Response FieldErrors::to_problem() const {
    if (has_nonce) {
        return http::problem(http::ProblemKind::nonce_not_accepted,
                             "Fencepost assigns the nonce of every transaction: leave it out.", errors);
    }
    const auto detail = errors.size() == 1 ? fmt::format("{}: {}.", errors.front().field, errors.front().detail)
                                           : fmt::format("{} fields are invalid; see errors.", errors.size());
    return http::problem(http::ProblemKind::invalid_request, detail, errors);
}

JsonFields::JsonFields(const json::object& object, std::string path, FieldErrors& field_errors)
    : object_(object),
      path_(std::move(path)),
      field_errors_(field_errors) {}

bool JsonFields::has(std::string_view name) const {
    const auto* const value = object_.if_contains(name);
    return value != nullptr && !value->is_null();
}

const json::value* JsonFields::find(std::string_view name) {
    known_.emplace_back(name);
    return has(name) ? object_.if_contains(name) : nullptr;
}

std::optional<std::string> JsonFields::text(std::string_view name) {
    const auto* const value = find(name);
    if (value == nullptr) return std::nullopt;
    if (const auto* text = value->if_string()) return std::string(*text);
    refuse(name, fmt::format("must be a string, not {}", kind_in_words(*value)));
    return std::nullopt;
}

const json::object* JsonFields::object(std::string_view name) {
    const auto* const value = find(name);
    if (value == nullptr) return nullptr;
    if (const auto* object = value->if_object()) return object;
    refuse(name, fmt::format("must be an object, not {}", kind_in_words(*value)));
    return nullptr;
}

const json::array* JsonFields::array(std::string_view name) {
    const auto* const value = find(name);
    if (value == nullptr) return nullptr;
    if (const auto* array = value->if_array()) return array;
    refuse(name, fmt::format("must be an array, not {}", kind_in_words(*value)));
    return nullptr;
}

std::optional<Uint256> JsonFields::amount(std::string_view name) {
    const auto* const value = find(name);
    if (value == nullptr) return std::nullopt;
    auto amount = read_amount(*value);
    if (amount) return *amount;
    refuse(name, amount.error().what);
    return std::nullopt;
}

std::optional<std::uint64_t> JsonFields::small_amount(std::string_view name) {
    const auto value = amount(name);
    if (!value) return std::nullopt;
    if (const auto small = value->to_uint64()) return small;
    refuse(name, "is too large: it must fit 64 bits");
    return std::nullopt;
}

void JsonFields::refuse_unknown_fields() {
    for (const auto& [key, value] : object_) {
        const std::string_view name(key);
        if (field_errors_.is_full()) return;
        if (std::ranges::find(known_, name) != known_.end()) continue;
        if (is_nonce(name)) {
            field_errors_.has_nonce = true;
            refuse(name, "callers cannot choose nonces: leave it out");
            continue;
        }
        const auto meant = meant_by(name, known_);
        refuse(name, meant ? fmt::format("unknown field; did you mean {}?", *meant)
                           : fmt::format("unknown field; the fields are {}", fmt::join(known_, ", ")));
    }
}

}  // namespace fencepost::api
