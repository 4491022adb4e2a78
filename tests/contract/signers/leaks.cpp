// Derives every searched form of a secret.
#include "leaks.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <botan/base64.h>
#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/text/hex.hpp"
#include "base/uint256.hpp"

namespace fencepost::test {
namespace {

constexpr std::size_t piece = 8;
constexpr std::size_t decimal_piece = 20;

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Without the end, which depends on what follows.
std::string base64(ByteView bytes) { return Botan::base64_encode(bytes.data(), bytes.size() / 3 * 3); }

std::string url_safe(std::string text) {
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

}  // namespace

void Leaks::add(std::string_view name, std::string_view form, std::string text, bool any_case) {
    forms_.push_back({fmt::format("{} as {}", name, form), any_case ? lower(text) : std::move(text), any_case});
}

void Leaks::add_key(std::string_view name, std::string_view hex) {
    const auto bytes = from_hex(hex).value();
    const ByteView view(bytes);
    for (std::size_t at = 0; at + piece <= bytes.size(); ++at) {
        const auto part = view.subspan(at, piece);
        add(name, "hexadecimal", to_hex(part), true);
        add(name, "raw bytes", std::string(part.begin(), part.end()));
    }
    const auto decimal = Uint256::from_big_endian(view)->to_decimal();
    for (std::size_t at = 0; at + decimal_piece <= decimal.size(); ++at)
        add(name, "decimal", decimal.substr(at, decimal_piece));
    // Preceding text shifts base64 by one or two bytes.
    for (std::size_t shift = 0; shift < 3; ++shift) {
        add(name, "base64", base64(view.subspan(shift, 12)));
        add(name, "base64", url_safe(base64(view.subspan(shift, 12))));
    }
}

void Leaks::add_text(std::string_view name, std::string_view text) {
    add(name, "text", std::string(text));
    add(name, "hexadecimal", to_hex(as_bytes(text)), true);
    add(name, "base64", base64(as_bytes(text)));
}

std::vector<std::string> Leaks::in(std::string_view output) const {
    const auto small = lower(output);
    std::set<std::string> found;
    for (const auto& form : forms_) {
        const std::string_view where = form.any_case ? std::string_view(small) : output;
        if (where.contains(form.text)) found.insert(form.name);
    }
    return {found.begin(), found.end()};
}

}  // namespace fencepost::test
