#include "base/text/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fencepost {
namespace {

constexpr std::size_t longest_name = 100;

std::string plain(std::string_view name) {
    std::string result;
    for (const char c : name.substr(0, longest_name)) {
        if (c == '-' || c == '_') continue;
        result.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
    return result;
}

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// "nonce.lease.duration" and "lease.duration", "interval" and "resubmit.interval".
bool ends_with_the_other(std::string_view a, std::string_view b) {
    return a.ends_with("." + std::string(b)) || b.ends_with("." + std::string(a));
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
    const auto wanted = plain(name);
    std::optional<std::string> best;
    std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
    for (const auto& candidate : candidates) {
        const auto known = plain(candidate);
        const auto off = ends_with_the_other(wanted, known) ? 1 : distance(wanted, known);
        if (off >= least) continue;
        least = off;
        best = candidate;
    }
    return best;
}

}  // namespace fencepost
