#include "config/keys/keys.hpp"

#include <array>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::config {
namespace {

template <typename... Tables>
std::vector<KeyInfo> together(const Tables&... tables) {
    std::vector<KeyInfo> all;
    (all.insert(all.end(), tables.begin(), tables.end()), ...);
    return all;
}

struct Absent {
    std::string_view name;
    std::string_view reason;
};
constexpr std::array<Absent, 1> absent{{
    {"lease.enabled", "the lease cannot be disabled: without it, two nodes could use the same nonce"},
}};

}  // namespace

const std::vector<KeyInfo>& keys_in(Scope scope) {
    static const auto top = together(service_keys(), chain_keys(), lane_keys());
    static const auto chain = together(chain_identity_keys(), chain_keys(), lane_keys());
    static const auto endpoint = together(endpoint_keys());
    static const auto submitter = together(submitter_identity_keys(), lane_keys());
    static const auto signer = together(signer_identity_keys(), signer_keys());
    switch (scope) {
        case Scope::top:
            return top;
        case Scope::chain:
            return chain;
        case Scope::endpoint:
            return endpoint;
        case Scope::submitter:
            return submitter;
        case Scope::signer:
            return signer;
    }
    FP_UNREACHABLE();
}

std::optional<std::string> reason_for_absence(std::string_view name) {
    for (const auto& candidate : absent) {
        if (candidate.name == name) return std::string(candidate.reason);
    }
    return std::nullopt;
}

}  // namespace fencepost::config
