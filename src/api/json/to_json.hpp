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

[[nodiscard]] json::value shown(std::string_view text);
[[nodiscard]] inline json::value shown(const std::string& text) { return shown(std::string_view(text)); }
[[nodiscard]] inline json::value shown(std::uint64_t number) { return number; }
[[nodiscard]] json::value shown(const Wei& wei);
/// Gas is an amount and is therefore written as a string.
[[nodiscard]] json::value shown(const Gas& gas);
[[nodiscard]] json::value shown(UnixTime time);
[[nodiscard]] json::value shown(const TxId& id);
[[nodiscard]] json::value shown(const RequestId& id);
[[nodiscard]] json::value shown(const NodeId& node);
[[nodiscard]] json::value shown(const TxHash& hash);
[[nodiscard]] json::value shown(const BlockHash& hash);
[[nodiscard]] json::value shown(const Bytes& bytes);
[[nodiscard]] json::value shown(const Fees& fees);
[[nodiscard]] json::value shown(const Receipt& receipt);
[[nodiscard]] json::value shown(const Intent& intent);
[[nodiscard]] json::value shown(const BlockRef& block);
[[nodiscard]] json::value shown(const TxError& error);
[[nodiscard]] json::value shown(const Ability& ability);
[[nodiscard]] json::value shown(const NodeAbility& ability);
[[nodiscard]] json::value shown(const NodeInfo& node);
[[nodiscard]] json::value shown(const HealthCheck& check);

/// Nonces, fence tokens and block heights are written as numbers.
template <typename Tag>
[[nodiscard]] json::value shown(const Ordinal<Tag>& number) {
    return number.value();
}

template <typename T>
[[nodiscard]] json::value shown(const std::optional<T>& value) {
    return value ? shown(*value) : json::value(nullptr);
}

template <typename T>
[[nodiscard]] json::array shown(const std::vector<T>& items) {
    json::array array;
    for (const auto& item : items)
        array.push_back(shown(item));
    return array;
}

}  // namespace fencepost::api
