#include "config/keys/setting.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/text/printable.hpp"

namespace fencepost::config {
namespace {

constexpr std::size_t longest_quote = 80;

std::string clean(std::string_view text) { return printable(as_bytes(text), longest_quote); }

}  // namespace

std::string Place::to_string() const {
    if (origin == Origin::file) return fmt::format("{}:{}:{}", name, line, column);
    return clean(name);
}

std::string Problem::to_string() const { return where.empty() ? what : fmt::format("{}: {}", where, what); }

Problem problem_at(const Place& place, std::string what) {
    return {.where = place.to_string(), .what = std::move(what)};
}

Problem problem_with(const Setting& setting, std::string_view what) {
    if (setting.place.origin == Place::Origin::flag) return problem_at(setting.place, std::string(what));
    return problem_at(setting.place, fmt::format("{}: {}", clean(setting.path), what));
}

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", clean(text)); }

}  // namespace fencepost::config
