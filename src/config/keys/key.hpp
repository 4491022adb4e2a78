// One configuration key: its name, type and help, and the struct member that it sets. The default is the value of that
// member in a new struct, so it is defined only once.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/keys/kinds.hpp"

namespace fencepost::config {

/// The documentation of a key.
struct KeyInfo {
    std::string name{};  // "confirmations.required"
    std::string type{};
    std::string bounds{};   // empty: none
    Items default_value{};  // the default; empty: none
    std::string help{};
    bool secret = false;  // never printed
    bool is_list = false;
    bool is_switch = false;
};

template <typename Owner>
struct Key : KeyInfo {
    std::function<Status<ValueError>(Owner&, const Items&)> set;
    /// Returns nothing when the member is not set.
    std::function<Items(const Owner&)> show;
};

/// The member at the end of a chain of member pointers: at(&Chain::lane, &LaneOptions::window).
template <typename... Members>
[[nodiscard]] auto at(Members... members) {
    return [=](auto& owner) -> auto& { return (owner.*....*members); };
}

namespace detail {

template <typename T>
inline constexpr bool is_duration = false;
template <typename Rep, typename Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;
template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename Member, typename T>
Status<ValueError> assign(Member& member, T value) {
    if constexpr (std::is_integral_v<Member> && !std::is_same_v<Member, bool>) {
        if (value > std::numeric_limits<Member>::max()) {
            return err(ValueError{fmt::format("is too large: at most {}", std::numeric_limits<Member>::max())});
        }
    }
    if constexpr (is_duration<Member>) {
        member = std::chrono::duration_cast<Member>(value);
    } else {
        member = static_cast<Member>(std::move(value));
    }
    return {};
}

/// The value of a member, in the type of its key.
template <typename T, typename Member>
std::optional<T> held(const Member& member) {
    if constexpr (is_optional<Member>) {
        return member ? held<T>(*member) : std::nullopt;
    } else if constexpr (std::is_convertible_v<Member, T>) {
        return static_cast<T>(member);
    } else {
        return member.value();  // a strong number
    }
}

}  // namespace detail

enum class Printing { allowed, never };

template <typename Owner, typename T, typename At>
[[nodiscard]] Key<Owner> key(std::string name, Kind<T> kind, At member, std::string help,
                             Printing shown = Printing::allowed) {
    Key<Owner> key;
    key.set = [read = std::move(kind.read), member](Owner& owner, const Items& items) -> Status<ValueError> {
        auto value = read(items);
        if (!value) return err(std::move(value.error()));
        return detail::assign(member(owner), *std::move(value));
    };
    key.show = [show = std::move(kind.show), member](const Owner& owner) -> Items {
        const auto value = detail::held<T>(member(owner));
        if (!value) return {};
        auto items = show(*value);
        if (items == Items{""}) items.clear();
        return items;
    };
    key.name = std::move(name);
    key.type = std::move(kind.type);
    key.bounds = std::move(kind.bounds);
    key.default_value = key.show(Owner{});
    key.help = std::move(help);
    key.secret = shown == Printing::never;
    key.is_list = kind.is_list;
    key.is_switch = kind.is_switch;
    return key;
}

template <typename Owner>
using Keys = std::vector<Key<Owner>>;

/// Adds a key to a table; see key().
template <typename Owner, typename T, typename At>
void add(Keys<Owner>& table, std::string name, Kind<T> kind, At member, std::string help,
         Printing shown = Printing::allowed) {
    table.push_back(key<Owner>(std::move(name), std::move(kind), member, std::move(help), shown));
}

}  // namespace fencepost::config
