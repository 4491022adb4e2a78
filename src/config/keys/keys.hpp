// All keys of the configuration: the one table from which it is read, checked, printed and explained.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "config/keys/key.hpp"

namespace fencepost::config {

/// What only a chain has, before it is known to be complete.
struct ChainIdentity {
    std::optional<std::uint64_t> id{};
    std::optional<BlockHash> genesis{};
    /// Of its only endpoint, the short way.
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
/// At the top, for all chains, and in a chain.
[[nodiscard]] const Keys<ChainSettings>& chain_keys();
/// At the top, for all submitters, in a chain, and in a submitter.
[[nodiscard]] const Keys<LaneSettings>& lane_keys();
[[nodiscard]] const Keys<ChainIdentity>& chain_identity_keys();
[[nodiscard]] const Keys<EndpointIdentity>& endpoint_keys();
[[nodiscard]] const Keys<SubmitterIdentity>& submitter_identity_keys();
[[nodiscard]] const Keys<SignerIdentity>& signer_identity_keys();
[[nodiscard]] const Keys<SignerConfig>& signer_keys();

/// Where keys stand.
enum class Scope { top, chain, endpoint, submitter, signer };

/// Every key that may stand there.
[[nodiscard]] const std::vector<KeyInfo>& keys_in(Scope scope);

/// A key that somebody might look for, and why it is not there.
[[nodiscard]] std::optional<std::string> reason_for_absence(std::string_view name);

}  // namespace fencepost::config
