// What fencepost doctor looks at, part by part. Each check ends by itself, within a few seconds for each thing that it
// asks, changes nothing, and shows no secret.
#pragma once

#include <set>
#include <vector>

#include "base/async/task.hpp"
#include "config/config.hpp"
#include "doctor/finding.hpp"
#include "ports/clock.hpp"
#include "system/descriptor_limit.hpp"

namespace fencepost::doctor {

/// For each question to another machine.
inline constexpr Duration time_limit = std::chrono::seconds(5);

/// Whether it answers, has the schema of this program, and how far its time is from ours.
[[nodiscard]] Task<Findings> check_database(Executor executor, Clock* clock, config::Database database);

/// Each endpoint of a chain: whether it answers, is of that chain, and is up to date; and its WebSocket.
[[nodiscard]] Task<Findings> check_chain(Executor executor, Clock* clock, config::ChainConfig chain);

/// Where keys are, and whose.
struct KeyReport {
    Findings findings{};
    std::set<Address> addresses{};
    /// False: a signer did not tell, and may have more.
    bool is_complete = true;
};
[[nodiscard]] Task<KeyReport> check_signers(Executor executor, Clock* clock, std::vector<config::SignerConfig> signers);

/// Whether there is a key for each submitter that is configured.
[[nodiscard]] Findings check_submitters(const config::Config& config, const KeyReport& keys);

/// What the submitters have to spend, and whether they are delegated (EIP-7702): those that are configured or, without
/// any, the first of the keys.
[[nodiscard]] Task<Findings> check_accounts(Executor executor, Clock* clock, config::Config config,
                                            std::set<Address> addresses);

/// Who may call, whether this machine can listen where it is told to, and whether the file of API keys can be read.
[[nodiscard]] Findings check_listening(const Executor& executor, const config::Config& config);
/// Whether as many files and connections may be open as `serve` will need, once it has raised the limit to the most.
[[nodiscard]] Findings check_descriptors(const config::Config& config, const DescriptorLimit& limit);
[[nodiscard]] Findings check_tls(const http::TlsFiles& tls, UnixTime now);

}  // namespace fencepost::doctor
