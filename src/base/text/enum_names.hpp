// Enum names for storage, logs and display. One line beside the enum names all its values:
//
//     enum class Scope { read, write };
//     FP_ENUM_NAMES(Scope, as_written, read, write)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/assert.hpp"

namespace fencepost {

template <typename E, std::size_t N>
using EnumNames = std::array<std::pair<E, std::string_view>, N>;

enum class EnumStyle {
    as_written,  // "fee_capped"
    upper,       // "FEE_CAPPED"
    spaced,      // "fee capped"
};

/// The values, and their text in the source: "read, write".
template <typename E, std::size_t N>
struct EnumList {
    std::array<E, N> values{};
    std::string_view text{};
    EnumStyle style{};
};

/// In the namespace of the enum, after it: all its values, in order.
#define FP_ENUM_NAMES(E, style, ...)                                                                         \
    [[maybe_unused]] constexpr auto enum_list(const E* /*found by its namespace*/) {                         \
        using enum E;                                                                                        \
        constexpr std::array values{__VA_ARGS__};                                                            \
        return ::fencepost::EnumList<E, values.size()>{values, #__VA_ARGS__, ::fencepost::EnumStyle::style}; \
    }

namespace detail {

template <typename E>
concept ListedEnum = requires { enum_list(static_cast<const E*>(nullptr)); };

template <ListedEnum E>
inline constexpr auto list_of = enum_list(static_cast<const E*>(nullptr));

// The text in its style; names are views of it.
template <ListedEnum E>
inline constexpr auto styled_text = [] {
    std::array<char, list_of<E>.text.size()> styled{};
    for (std::size_t i = 0; i < styled.size(); ++i) {
        const char c = list_of<E>.text[i];
        const bool is_lower = c >= 'a' && c <= 'z';
        if (list_of<E>.style == EnumStyle::upper && is_lower) {
            styled[i] = static_cast<char>(c - 'a' + 'A');
        } else if (list_of<E>.style == EnumStyle::spaced && c == '_') {
            styled[i] = ' ';
        } else {
            styled[i] = c;
        }
    }
    return styled;
}();

template <ListedEnum E>
constexpr auto names_in_list() {
    constexpr auto count = list_of<E>.values.size();
    EnumNames<E, count> names{};
    const std::string_view text(styled_text<E>.data(), styled_text<E>.size());
    std::size_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto end = std::min(text.find(',', begin), text.size());
        names[i] = {list_of<E>.values[i], text.substr(begin, end - begin)};
        begin = end + 2;  // ", "
    }
    return names;
}

template <typename E>
constexpr auto default_names() {
    if constexpr (ListedEnum<E>) {
        return names_in_list<E>();
    } else {
        return EnumNames<E, 0>{};
    }
}

}  // namespace detail

/// Specialised beside an enum whose names are not those of its values:
/// `template <> inline constexpr EnumNames<E, n> enum_names<E>{…}`, in the enum's order.
template <typename E>
inline constexpr auto enum_names = detail::default_names<E>();

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
