#include "config/keys/kinds.hpp"

#include "api/query/submitter_policy.hpp"
#include "base/text/hex.hpp"

namespace fencepost::config {
namespace {

/// For parsers shared with other modules: their errors are whole sentences that quote only what may be quoted.
template <typename T>
Read<T> from_parser(Result<T, ParseError> result) {
    if (!result) return err(ValueError{.what = std::move(result.error().what), .is_sentence = true});
    return *std::move(result);
}

Kind<jsonrpc::Url> url(bool web_socket) {
    const std::string schemes = web_socket ? "ws or wss" : "http or https";
    return single<jsonrpc::Url>(
        fmt::format("URL ({})", schemes),
        [web_socket, schemes](std::string_view text) -> Read<jsonrpc::Url> {
            auto url = from_parser(jsonrpc::Url::parse(text));
            if (url && url->is_web_socket() != web_socket) {
                return err(ValueError{.what = fmt::format("takes a URL of {}", schemes), .is_sentence = true});
            }
            return url;
        },
        [](const jsonrpc::Url& value) { return jsonrpc::display_name(value); });
}

/// Headers may contain secrets, so errors do not quote them.
Read<Headers> read_headers(const Items& items) {
    Headers headers;
    for (const auto& item : items) {
        const auto colon = item.find(": ");
        if (colon == std::string::npos || colon == 0) {
            return err(ValueError{.what = "takes headers as \"Name: value\"", .is_sentence = true});
        }
        headers.emplace_back(item.substr(0, colon), item.substr(colon + 2));
    }
    return headers;
}

Items show_headers(const Headers& headers) {
    Items items;
    for (const auto& [name, value] : headers)
        items.push_back(fmt::format("{}: {}", name, value));
    return items;
}

Read<BlockHash> read_block_hash(std::string_view text) {
    const auto bytes = from_hex(text);
    const auto hash = bytes ? BlockHash::from(*bytes) : std::nullopt;
    if (!hash) return err(ValueError{"is not a block hash: write 0x and 64 hexadecimal digits"});
    return *hash;
}

}  // namespace

Kind<bool> on_or_off() {
    auto kind = single<bool>("true or false", read_switch, show_switch);
    kind.is_switch = true;
    return kind;
}

Kind<std::uint64_t> count(std::uint64_t least, std::optional<std::uint64_t> most) {
    return within(single<std::uint64_t>("number", read_count, [](auto value) { return fmt::to_string(value); }),
                  least > 0 || most ? std::optional(least) : std::nullopt, most);
}

Kind<Duration> duration(Duration least, std::optional<Duration> most) {
    return within(single<Duration>("duration", read_duration, show_duration),
                  least > Duration{} || most ? std::optional(least) : std::nullopt, most);
}

Kind<Wei> amount() { return single<Wei>("amount", read_amount, show_amount); }

Kind<std::uint64_t> size(std::uint64_t least, std::uint64_t most) {
    return within(single<std::uint64_t>("size", read_size, show_size), std::optional(least), std::optional(most));
}

Kind<std::uint64_t> permille(std::uint64_t least, std::uint64_t most) {
    return within(single<std::uint64_t>("decimal", read_permille, show_permille), std::optional(least),
                  std::optional(most));
}

Kind<BumpFactor> factor() {
    auto kind = single<BumpFactor>("decimal", read_factor, show_factor);
    kind.bounds = "above 1, at most 10";
    return kind;
}

Kind<std::string> text() {
    return single<std::string>(
        "text", [](std::string_view text) -> Read<std::string> { return std::string(text); },
        [](const std::string& value) { return value; });
}

Kind<Items> texts() {
    return {.type = "list of texts",
            .read = [](const Items& items) -> Read<Items> { return items; },
            .show = [](const Items& items) { return items; },
            .is_list = true};
}

Kind<http::ListenAddress> listen_address() {
    return single<http::ListenAddress>(
        "HOST:PORT", [](std::string_view text) { return from_parser(http::ListenAddress::parse(text)); },
        [](const http::ListenAddress& value) { return value.to_string(); });
}

Kind<DatabaseName> database() {
    return single<DatabaseName>(
        "postgresql://… or a file",
        [](std::string_view text) { return from_parser(DatabaseName::parse(std::string(text))); },
        [](const DatabaseName& value) { return value.place; });
}

Kind<jsonrpc::Url> http_url() { return url(false); }
Kind<jsonrpc::Url> web_socket_url() { return url(true); }

Kind<Headers> headers() {
    return {.type = "list of \"Name: value\"", .read = read_headers, .show = show_headers, .is_list = true};
}

Kind<BlockHash> block_hash() {
    return single<BlockHash>("hash", read_block_hash,
                             [](const BlockHash& value) { return to_hex_prefixed(value.view()); });
}

Kind<SubmitterId> account() {
    return single<SubmitterId>(
        "CAIP-10 account", [](std::string_view text) { return from_parser(SubmitterId::parse(text)); },
        [](const SubmitterId& value) { return value.to_display(); });
}

namespace {

/// A list whose items are all of one type.
template <typename T>
Kind<std::vector<T>> list_of(const std::string& type, std::function<Read<T>(std::string_view)> read,
                             std::function<std::string(const T&)> show) {
    return {.type = type,
            .read = [read = std::move(read)](const Items& items) -> Read<std::vector<T>> {
                std::vector<T> all;
                for (const auto& item : items) {
                    const auto one = read(item);
                    if (!one) return err(one.error());
                    all.push_back(*one);
                }
                return all;
            },
            .show =
                [show = std::move(show)](const std::vector<T>& all) {
                    Items items;
                    for (const auto& one : all)
                        items.push_back(show(one));
                    return items;
                },
            .is_list = true};
}

}  // namespace

Kind<std::vector<Address>> addresses() {
    return list_of<Address>(
        "list of addresses", [](std::string_view text) { return from_parser(Address::parse(text)); },
        [](const Address& address) { return address.to_checksum(); });
}

Kind<std::vector<Selector>> functions() {
    return list_of<Selector>(
        "list of functions", [](std::string_view text) { return from_parser(api::parse_selector(text)); },
        [](const Selector& selector) { return to_hex_prefixed(selector.view()); });
}

}  // namespace fencepost::config
