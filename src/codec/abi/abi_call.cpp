// Checks the JSON arguments of a call and encodes it.
#include "codec/abi/abi_call.hpp"

#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "codec/abi/abi_encoder.hpp"
#include "codec/abi/abi_signature.hpp"
#include "codec/abi/abi_value.hpp"

namespace fencepost::codec {
namespace {

namespace json = boost::json;
using Kind = AbiError::Kind;

Result<json::array, AbiError> read_arguments(std::string_view text) {
    if (text.size() > max_abi_arguments) {
        return err(AbiError{Kind::too_large, "", fmt::format("the arguments exceed {} bytes", max_abi_arguments)});
    }
    boost::system::error_code error;
    json::parse_options options;
    options.max_depth = max_abi_depth + 1;  // plus one for the array of arguments
    auto value = json::parse(text, error, {}, options);
    if (error)
        return err(AbiError{Kind::arguments, "", fmt::format("the arguments are not JSON: {}", error.message())});
    if (!value.is_array()) {
        return err(
            AbiError{Kind::arguments, "", fmt::format("the arguments must be an array, not {}", kind_in_words(value))});
    }
    return std::move(value.get_array());
}

}  // namespace

Result<Bytes, AbiError> encode_call(std::string_view signature, std::string_view arguments) {
    const auto function = parse_abi_signature(signature);
    if (!function) return err(AbiError{Kind::signature, "", function.error().what});
    const auto values = read_arguments(arguments);
    if (!values) return err(values.error());
    if (values->size() != function->parameters.size()) {
        return err(
            AbiError{Kind::arguments, "",
                     fmt::format("{} parameters, but {} arguments", function->parameters.size(), values->size())});
    }
    AbiEncoder encoder(max_abi_call);
    encoder.bytes(selector_of(*function));
    return std::move(encoder).encode(function->parameters, *values);
}

}  // namespace fencepost::codec
