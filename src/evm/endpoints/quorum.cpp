// Compares answers of different clients field by field.
#include "evm/endpoints/quorum.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace fencepost::evm {
namespace {

bool same_object(const boost::json::object& a, const boost::json::object& b) {
    bool shared = a.empty() && b.empty();
    for (const auto& [key, value] : a) {
        const auto* other = b.if_contains(key);
        if (other == nullptr) continue;
        shared = true;
        if (!answers_agree(value, *other)) return false;
    }
    return shared;
}

bool same_array(const boost::json::array& a, const boost::json::array& b) {
    return std::ranges::equal(a, b, answers_agree);
}

}  // namespace

bool answers_agree(const Json& a, const Json& b) {
    if (a.is_object() && b.is_object()) return same_object(a.get_object(), b.get_object());
    if (a.is_array() && b.is_array()) return same_array(a.get_array(), b.get_array());
    return a == b;
}

std::optional<Json> agreed_on(const std::vector<std::vector<Answer>>& heard, std::size_t item, std::size_t agreeing) {
    for (const auto& answers : heard) {
        if (!answers[item]) continue;
        const auto same = std::ranges::count_if(
            heard, [&](const auto& others) { return others[item] && answers_agree(*answers[item], *others[item]); });
        if (static_cast<std::size_t>(same) >= agreeing) return *answers[item];
    }
    return std::nullopt;
}

bool all_agreed(const std::vector<std::vector<Answer>>& heard, std::size_t items, std::size_t agreeing) {
    for (std::size_t item = 0; item < items; ++item) {
        if (!agreed_on(heard, item, agreeing)) return false;
    }
    return true;
}

}  // namespace fencepost::evm
