// The table of all configuration keys, from which the configuration is read, checked, printed and documented.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "config/keys/key.hpp"

namespace fencepost::config {

/// The settings that exist only for a chain, before the chain is known to be complete.
struct ChainIdentity {
    std::optional<std::uint64_t> id{};
    std::optional<BlockHash> genesis{};
    /// The URL of its only endpoint, as a short form.
    std::optional<jsonrpc::Url> url{};
    ConnectorConfig connector{};
};

struct SubmitterIdentity {
    std::optional<SubmitterId> account{};
};

struct EndpointIdentity {
    std::optional<jsonrpc::Url> url{};
    Headers headers{};
    std::string ca_file{};
    std::optional<jsonrpc::Url> web_socket{};
};

struct SignerIdentity {
    std::optional<SignerKind> kind{};
};

[[nodiscard]] const Keys<Config>& service_keys();
/// Valid globally and in a chain.
[[nodiscard]] const Keys<ChainSettings>& chain_keys();
/// Valid globally, in a chain and in a submitter.
[[nodiscard]] const Keys<LaneSettings>& lane_keys();
[[nodiscard]] const Keys<ChainIdentity>& chain_identity_keys();
[[nodiscard]] const Keys<EndpointIdentity>& endpoint_keys();
[[nodiscard]] const Keys<SubmitterIdentity>& submitter_identity_keys();
[[nodiscard]] const Keys<SignerIdentity>& signer_identity_keys();
[[nodiscard]] const Keys<SignerConfig>& signer_keys();

/// The levels of the configuration at which keys are valid.
enum class Scope { top, chain, endpoint, submitter, signer };

/// All keys that are valid at that level.
[[nodiscard]] const std::vector<KeyInfo>& keys_in(Scope scope);

/// A key that users may expect but that does not exist, and why not.
[[nodiscard]] std::optional<std::string> unsupported_key_reason(std::string_view name);

}  // namespace fencepost::config
