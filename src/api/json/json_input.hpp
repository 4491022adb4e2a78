// Reading what callers send, strictly: what is not understood is refused, with the field and what to write instead, and
// all of it at once, so that a caller need not send ten requests to learn of ten mistakes. For the .cpp files of this
// module only: it shows a JSON library.
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

/// Also how deep the arguments of a call by ABI may be nested.
inline constexpr std::size_t max_json_depth = 24;

/// RFC 8259, and besides: UTF-8 without errors, no name twice in one object, no number beyond a double, and bounded
/// depth. The error is one sentence.
[[nodiscard]] Result<json::value, ParseError> parse_json(std::string_view text);

/// What is wrong with a request so far.
struct Mistakes {
    std::vector<http::FieldError> errors;
    /// More of them help nobody.
    static constexpr std::size_t most = 20;
    /// A nonce was sent: refused under a name of its own, because no other spelling of it helps.
    bool has_nonce = false;

    void add(std::string_view field, std::string_view detail);
    [[nodiscard]] bool is_full() const { return errors.size() >= most; }
    [[nodiscard]] bool any() const { return !errors.empty(); }
    [[nodiscard]] http::Response to_problem() const;
};

/// The fields of one JSON object, each of which may be asked for once. A field that is null counts as left out.
class JsonFields {
public:
    /// `path` is what stands before its fields' names in errors: "payload.", or nothing. All three must outlive it.
    JsonFields(const json::object& object, std::string path, Mistakes& mistakes);

    /// Whether it is there at all.
    [[nodiscard]] bool has(std::string_view name) const;
    /// Nothing when it is left out.
    [[nodiscard]] const json::value* find(std::string_view name);
    /// These note a mistake where the field is of another kind, and give nothing then, too.
    [[nodiscard]] std::optional<std::string> text(std::string_view name);
    [[nodiscard]] const json::object* object(std::string_view name);
    [[nodiscard]] const json::array* array(std::string_view name);
    /// A string, decimal or 0x and hexadecimal, or a JSON integer below 2^53. Nothing that may have been a double
    /// somewhere on its way: an amount must arrive as it was written.
    [[nodiscard]] std::optional<Uint256> amount(std::string_view name);
    [[nodiscard]] std::optional<std::uint64_t> small_amount(std::string_view name);

    void refuse(std::string_view name, std::string_view detail) { mistakes_.add(path_ + std::string(name), detail); }
    /// Every field that was not asked for is a mistake; the answer names the nearest that there is.
    void refuse_the_rest();

private:
    const json::object& object_;
    std::string path_;
    Mistakes& mistakes_;
    std::vector<std::string> known_;
};

}  // namespace fencepost::api
