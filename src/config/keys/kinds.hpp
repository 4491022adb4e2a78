// The types of configuration values: the type's name, how its text is parsed and printed, and its bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/enum_names.hpp"
#include "config/keys/database_name.hpp"
#include "config/keys/values.hpp"
#include "domain/address.hpp"
#include "domain/submitter_id.hpp"
#include "domain/submitter_policy.hpp"
#include "http/listen_address.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::config {

/// The texts of a value: one, or one per list item.
using Items = std::vector<std::string>;
using Headers = std::vector<std::pair<std::string, std::string>>;

template <typename T>
struct Kind {
    std::string type;  // for people
    std::function<Read<T>(const Items&)> read;
    std::function<Items(const T&)> show;
    std::string bounds{};  // for people; empty: none
    bool is_list = false;
    bool is_switch = false;
};

/// A type with a single text; a list is an error.
template <typename T>
[[nodiscard]] Kind<T> single(const std::string& type, std::function<Read<T>(std::string_view)> read,
                             std::function<std::string(const T&)> show) {
    return {.type = type,
            .read = [read = std::move(read)](const Items& items) -> Read<T> {
                if (items.size() != 1)
                    return err(ValueError{.what = "takes one value, not a list", .is_sentence = true});
                return read(items.front());
            },
            .show = [show = std::move(show)](const T& value) { return Items{show(value)}; }};
}

/// Adds inclusive bounds to a type.
template <typename T>
[[nodiscard]] Kind<T> within(Kind<T> kind, std::optional<T> least, std::optional<T> most) {
    const auto text = [&kind](const T& bound) { return kind.show(bound).front(); };
    const auto low = least ? text(*least) : "";
    const auto high = most ? text(*most) : "";
    if (least) kind.bounds = most ? fmt::format("{} to {}", low, high) : fmt::format("at least {}", low);
    if (!least && most) kind.bounds = fmt::format("at most {}", high);
    kind.read = [read = std::move(kind.read), least, most, low, high](const Items& items) -> Read<T> {
        auto value = read(items);
        if (value && least && *value < *least) {
            return err(ValueError{fmt::format("is too small: at least {}", low)});
        }
        if (value && most && *value > *most) return err(ValueError{fmt::format("is too large: at most {}", high)});
        return value;
    };
    return kind;
}

[[nodiscard]] Kind<bool> on_or_off();
[[nodiscard]] Kind<std::uint64_t> count(std::uint64_t least = 0, std::optional<std::uint64_t> most = {});
[[nodiscard]] Kind<Duration> duration(Duration least = {}, std::optional<Duration> most = {});
[[nodiscard]] Kind<Wei> amount();
[[nodiscard]] Kind<std::uint64_t> size(std::uint64_t least, std::uint64_t most);
[[nodiscard]] Kind<std::uint64_t> permille(std::uint64_t least, std::uint64_t most);
[[nodiscard]] Kind<BumpFactor> factor();
[[nodiscard]] Kind<std::string> text();
[[nodiscard]] Kind<Items> texts();
[[nodiscard]] Kind<http::ListenAddress> listen_address();
[[nodiscard]] Kind<DatabaseName> database();
/// http and https, or ws and wss. Only the host is printed, because a URL may contain an API key.
[[nodiscard]] Kind<jsonrpc::Url> http_url();
[[nodiscard]] Kind<jsonrpc::Url> web_socket_url();
/// "Name: value" each.
[[nodiscard]] Kind<Headers> headers();
[[nodiscard]] Kind<BlockHash> block_hash();
[[nodiscard]] Kind<SubmitterId> account();
[[nodiscard]] Kind<std::vector<Address>> addresses();
/// Contract functions: "transfer(address,uint256)" or "0xa9059cbb" each.
[[nodiscard]] Kind<std::vector<Selector>> functions();

/// One of the names of an enum.
template <NamedEnum E>
[[nodiscard]] Kind<E> choice() {
    std::vector<std::string_view> names;
    for (const auto& [value, name] : enum_names<E>)
        names.push_back(name);
    const auto all = fmt::format("{}", fmt::join(names, ", "));
    auto kind = single<E>(
        "choice",
        [all](std::string_view text) -> Read<E> {
            if (const auto value = value_of<E>(text)) return *value;
            return err(ValueError{fmt::format("is none of {}", all)});
        },
        [](const E& value) { return std::string(name_of(value)); });
    kind.bounds = all;
    return kind;
}

}  // namespace fencepost::config
