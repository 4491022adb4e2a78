#include "http/message/query.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "base/text/utf8.hpp"

namespace fencepost::http {
namespace {

std::optional<std::string> form_decode(std::string_view text) {
    std::string blanks(text);
    std::ranges::replace(blanks, '+', ' ');
    return percent_decode(blanks);
}

auto invalid_encoding(std::string_view part) {
    return err(ParseError{fmt::format("The query's \"{}\" is not percent-encoded UTF-8.", part)});
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded.push_back(text[i]);
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const int high = hex_digit(text[i + 1]);
        const int low = hex_digit(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        decoded.push_back(static_cast<char>(high * 16 + low));
        i += 2;
    }
    if (decoded.contains('\0') || !is_utf8(decoded)) return std::nullopt;
    return decoded;
}

Result<Query, ParseError> Query::parse(std::string_view text) {
    Query query;
    while (!text.empty()) {
        const auto part = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        if (part.empty()) continue;
        const auto equals = part.find('=');
        auto name = form_decode(part.substr(0, equals));
        auto value = form_decode(equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1));
        if (!name || !value || name->empty()) return invalid_encoding(part);
        if (query.find(*name)) return err(ParseError{fmt::format("The query has \"{}\" twice.", *name)});
        query.pairs_.emplace_back(*std::move(name), *std::move(value));
    }
    return query;
}

std::optional<std::string_view> Query::find(std::string_view name) const {
    const auto found = std::ranges::find(pairs_, name, [](const auto& pair) { return std::string_view(pair.first); });
    if (found == pairs_.end()) return std::nullopt;
    return found->second;
}

}  // namespace fencepost::http
