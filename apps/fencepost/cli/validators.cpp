#include "cli/validators.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/uint256.hpp"
#include "config/keys/values.hpp"
#include "domain/address.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::cli {
namespace {

/// CLI11 expects the error message, or an empty string.
template <typename T>
std::string error_text(const std::string& text, const config::Read<T>& read) {
    if (read) return "";
    return read.error().is_sentence ? read.error().what : fmt::format("\"{}\" {}", text, read.error().what);
}

std::string wrong_url(const std::string& text) {
    const auto url = jsonrpc::Url::parse(text);
    if (!url) return url.error().what;
    return url->is_web_socket() ? "the URL of the server must start with http:// or https://" : "";
}

std::string wrong_amount(const std::string& text) {
    if (text.starts_with("0x") && Uint256::parse(text)) return "";
    return error_text(text, config::read_amount(text));
}

std::string wrong_duration(const std::string& text) {
    constexpr Duration longest = std::chrono::days(365);  // so that the deadline does not overflow
    const auto duration = config::read_duration(text);
    if (duration && *duration > longest) return fmt::format("\"{}\" is too long: at most 365d", text);
    return error_text(text, duration);
}

std::string wrong_address(const std::string& text) {
    const auto address = Address::parse(text);
    return address ? "" : address.error().what;
}

}  // namespace

CLI::Validator url_check() { return {wrong_url, ""}; }

CLI::Validator duration_check() { return {wrong_duration, ""}; }

CLI::Validator amount_check() { return {wrong_amount, ""}; }
CLI::Validator address_check() { return {wrong_address, ""}; }

CLI::Validator count_check() {
    return {[](const std::string& text) { return error_text(text, config::read_count(text)); }, ""};
}

CLI::Validator one_of_check(std::vector<std::string> names) {
    return {[names = std::move(names)](const std::string& text) -> std::string {
                if (std::ranges::find(names, text) != names.end()) return "";
                return fmt::format("\"{}\" is not one of {}", text, fmt::join(names, ", "));
            },
            ""};
}

}  // namespace fencepost::cli
