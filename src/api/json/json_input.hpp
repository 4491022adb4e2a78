// Reads JSON requests strictly. It refuses what it does not understand and names the field and the expected value. It
// reports all errors at once, so that a caller need not send ten requests to find ten errors. For the .cpp files of
// this module only, because it exposes a JSON library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.hpp"
#include "base/uint256.hpp"
#include "http/message/problem.hpp"

namespace fencepost::api {

namespace json = boost::json;

/// Also the maximum nesting of ABI call arguments.
inline constexpr std::size_t max_json_depth = 24;

/// Stricter than RFC 8259: valid UTF-8, no duplicate name in an object, no number beyond a double, and limited depth.
/// The error is one sentence.
[[nodiscard]] Result<json::value, ParseError> parse_json(std::string_view text);

/// The errors found in a request so far.
struct FieldErrors {
    std::vector<http::FieldError> errors;
    /// More errors would not help the caller.
    static constexpr std::size_t most = 20;
    /// The request contains a nonce. It is refused with its own problem type, because no other spelling would be right.
    bool has_nonce = false;

    void add(std::string_view field, std::string_view detail);
    [[nodiscard]] bool is_full() const { return errors.size() >= most; }
    [[nodiscard]] bool any() const { return !errors.empty(); }
    [[nodiscard]] http::Response to_problem() const;
};

/// The fields of one JSON object; read each at most once. A null field counts as absent.
class JsonFields {
public:
    /// `path` is the prefix of field names in errors: "payload.", or empty. All three must outlive it.
    JsonFields(const json::object& object, std::string path, FieldErrors& field_errors);

    /// Whether the field is present, also as null.
    [[nodiscard]] bool has(std::string_view name) const;
    /// None when the field is absent.
    [[nodiscard]] const json::value* find(std::string_view name);
    /// These record an error, and return none, when the field has another type.
    [[nodiscard]] std::optional<std::string> text(std::string_view name);
    [[nodiscard]] const json::object* object(std::string_view name);
    [[nodiscard]] const json::array* array(std::string_view name);
    /// A decimal or 0x hexadecimal string, or a JSON integer below 2^53. A larger integer may have passed through a
    /// double and lost digits.
    [[nodiscard]] std::optional<Uint256> amount(std::string_view name);
    [[nodiscard]] std::optional<std::uint64_t> small_amount(std::string_view name);

    void refuse(std::string_view name, std::string_view detail) {
        field_errors_.add(path_ + std::string(name), detail);
    }
    /// Records an error for every field that was not read, and suggests the nearest known name.
    void refuse_unknown_fields();

private:
    const json::object& object_;
    std::string path_;
    FieldErrors& field_errors_;
    std::vector<std::string> known_;
};

}  // namespace fencepost::api
