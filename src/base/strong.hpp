// Strong typedefs: a Nonce must not be passed as a BlockNumber. A Strong<T, Tag> holds a T, compares and hashes like
// it, and converts only explicitly.
#pragma once

#include <compare>
#include <concepts>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace fencepost {

template <typename T, typename Tag>
class Strong {
public:
    using Value = T;

    constexpr Strong() = default;
    constexpr explicit Strong(T value) : value_(std::move(value)) {}

    [[nodiscard]] constexpr const T& value() const { return value_; }

    friend constexpr bool operator==(const Strong&, const Strong&) = default;
    friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

private:
    T value_{};
};

/// A Strong integer for ordered counting: it has a successor and a distance, and no other arithmetic.
template <typename Tag>
class Ordinal : public Strong<std::uint64_t, Tag> {
public:
    using Strong<std::uint64_t, Tag>::Strong;

    [[nodiscard]] constexpr Ordinal next() const { return Ordinal(this->value() + 1); }
    [[nodiscard]] constexpr Ordinal plus(std::uint64_t steps) const { return Ordinal(this->value() + steps); }
    /// The distance of `other` below this one; 0 if it is not below.
    [[nodiscard]] constexpr std::uint64_t above(Ordinal other) const {
        return this->value() > other.value() ? this->value() - other.value() : 0;
    }
};

}  // namespace fencepost

template <typename T, typename Tag>
struct std::hash<fencepost::Strong<T, Tag>> {
    std::size_t operator()(const fencepost::Strong<T, Tag>& strong) const { return std::hash<T>{}(strong.value()); }
};
template <typename Tag>
struct std::hash<fencepost::Ordinal<Tag>> : std::hash<fencepost::Strong<std::uint64_t, Tag>> {};

template <typename T, typename Tag>
struct fmt::formatter<fencepost::Strong<T, Tag>> : fmt::formatter<T> {
    auto format(const fencepost::Strong<T, Tag>& strong, format_context& ctx) const {
        return fmt::formatter<T>::format(strong.value(), ctx);
    }
};
template <typename Tag>
struct fmt::formatter<fencepost::Ordinal<Tag>> : fmt::formatter<fencepost::Strong<std::uint64_t, Tag>> {};
