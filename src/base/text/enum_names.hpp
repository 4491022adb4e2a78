// The names by which the values of a closed enum are stored, logged and shown, in one place per enum.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/assert.hpp"

namespace fencepost {

template <typename E, std::size_t N>
using EnumNames = std::array<std::pair<E, std::string_view>, N>;

/// Specialised beside each enum: `template <> inline constexpr EnumNames<E, n> enum_names<E>{…}`, in the enum's order.
template <typename E>
inline constexpr auto enum_names = EnumNames<E, 0>{};

template <typename E>
concept NamedEnum = (enum_names<E>.size() > 0);

template <NamedEnum E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
    for (const auto& [candidate, name] : enum_names<E>) {
        if (candidate == value) return name;
    }
    FP_UNREACHABLE();
}

template <NamedEnum E>
[[nodiscard]] constexpr std::optional<E> value_of(std::string_view name) {
    for (const auto& [value, candidate] : enum_names<E>) {
        if (candidate == name) return value;
    }
    return std::nullopt;
}

}  // namespace fencepost

template <fencepost::NamedEnum E>
struct fmt::formatter<E> : fmt::formatter<std::string_view> {
    auto format(E value, format_context& ctx) const {
        return fmt::formatter<std::string_view>::format(fencepost::name_of(value), ctx);
    }
};
