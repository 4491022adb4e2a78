// How each type is written in JSON, defined once. For the .cpp files of this module only, because it exposes a JSON
// library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "api/dependencies.hpp"
#include "api/submit/tx_error.hpp"

namespace fencepost::api {

namespace json = boost::json;

[[nodiscard]] json::value to_json(std::string_view text);
[[nodiscard]] inline json::value to_json(const std::string& text) { return to_json(std::string_view(text)); }
[[nodiscard]] inline json::value to_json(std::uint64_t number) { return number; }
[[nodiscard]] json::value to_json(const Wei& wei);
/// Gas is an amount and is therefore written as a string.
[[nodiscard]] json::value to_json(const Gas& gas);
[[nodiscard]] json::value to_json(UnixTime time);
[[nodiscard]] json::value to_json(const TxId& id);
[[nodiscard]] json::value to_json(const RequestId& id);
[[nodiscard]] json::value to_json(const NodeId& node);
[[nodiscard]] json::value to_json(const TxHash& hash);
[[nodiscard]] json::value to_json(const BlockHash& hash);
[[nodiscard]] json::value to_json(const Bytes& bytes);
[[nodiscard]] json::value to_json(const Fees& fees);
[[nodiscard]] json::value to_json(const Receipt& receipt);
[[nodiscard]] json::value to_json(const Intent& intent);
[[nodiscard]] json::value to_json(const BlockRef& block);
[[nodiscard]] json::value to_json(const TxError& error);
[[nodiscard]] json::value to_json(const Ability& ability);
[[nodiscard]] json::value to_json(const NodeAbility& ability);
[[nodiscard]] json::value to_json(const NodeInfo& node);
[[nodiscard]] json::value to_json(const HealthCheck& check);

/// Nonces, fence tokens and block heights are written as numbers.
template <typename Tag>
[[nodiscard]] json::value to_json(const Ordinal<Tag>& number) {
    return number.value();
}

template <typename T>
[[nodiscard]] json::value to_json(const std::optional<T>& value) {
    return value ? to_json(*value) : json::value(nullptr);
}

template <typename T>
[[nodiscard]] json::array to_json(const std::vector<T>& items) {
    json::array array;
    for (const auto& item : items)
        array.push_back(to_json(item));
    return array;
}

}  // namespace fencepost::api
