// Checks and sanitises text for storage.
#include "store/text_check.hpp"

#include <algorithm>

#include "base/text/utf8.hpp"

namespace fencepost::store {
namespace {

constexpr std::size_t max_length = 256;

}  // namespace

std::string storability_error(std::string_view request_id) {
    if (request_id.empty()) return "a request id must not be empty";
    if (request_id.size() > max_length) return "a request id has at most 256 bytes";
    if (request_id.contains('\0')) return "a request id must not contain a NUL";
    return is_utf8(request_id) ? "" : "a request id must be UTF-8";
}

std::string storable(std::string_view text) {
    constexpr std::string_view replacement = "\xef\xbf\xbd";
    std::string result;
    while (!text.empty()) {
        const std::size_t length = text.front() == '\0' ? 0 : utf8_length(text);
        result += length == 0 ? replacement : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

}  // namespace fencepost::store
