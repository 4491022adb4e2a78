#include "config/keys/keys.hpp"

#include <array>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::config {
namespace {

template <typename... Tables>
std::vector<KeyInfo> merged(const Tables&... tables) {
    std::vector<KeyInfo> all;
    (all.insert(all.end(), tables.begin(), tables.end()), ...);
    return all;
}

struct UnsupportedKey {
    std::string_view name;
    std::string_view reason;
};
constexpr std::array<UnsupportedKey, 1> unsupported_keys{{
    {"lease.enabled", "the lease cannot be disabled: without it, two nodes could use the same nonce"},
}};

}  // namespace

const std::vector<KeyInfo>& keys_in(Scope scope) {
    static const auto top = merged(service_keys(), chain_keys(), lane_keys());
    static const auto chain = merged(chain_identity_keys(), chain_keys(), lane_keys());
    static const auto endpoint = merged(endpoint_keys());
    static const auto submitter = merged(submitter_identity_keys(), lane_keys());
    static const auto signer = merged(signer_identity_keys(), signer_keys());
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

std::optional<std::string> unsupported_key_reason(std::string_view name) {
    for (const auto& candidate : unsupported_keys) {
        if (candidate.name == name) return std::string(candidate.reason);
    }
    return std::nullopt;
}

}  // namespace fencepost::config
