// The checks of fencepost doctor. Each check ends within a few seconds per request that it makes, changes nothing, and
// prints no secret.
#pragma once

#include <set>
#include <vector>

#include "base/async/task.hpp"
#include "config/config.hpp"
#include "doctor/finding.hpp"
#include "ports/clock.hpp"
#include "system/descriptor_limit.hpp"

namespace fencepost::doctor {

/// For each request to another machine.
inline constexpr Duration time_limit = std::chrono::seconds(5);

/// Whether the database answers, whether its schema matches this program, and how far its clock differs.
[[nodiscard]] Task<Findings> check_database(Executor executor, Clock* clock, config::Database database);

/// For each endpoint of a chain: whether it answers, serves the right chain, and is up to date; and its WebSocket.
[[nodiscard]] Task<Findings> check_chain(Executor executor, Clock* clock, config::ChainConfig chain);

/// The keys that the signers hold.
struct KeyReport {
    Findings findings{};
    std::set<Address> addresses{};
    /// False: a signer did not list its keys and may hold more.
    bool is_complete = true;
};
[[nodiscard]] Task<KeyReport> check_signers(Executor executor, Clock* clock, std::vector<config::SignerConfig> signers);

/// Whether each configured submitter has a key.
[[nodiscard]] Findings check_submitters(const config::Config& config, const KeyReport& keys);

/// The submitters' balances, and whether they are delegated (EIP-7702). Without configured submitters, checks the first
/// of the keys.
[[nodiscard]] Task<Findings> check_accounts(Executor executor, Clock* clock, config::Config config,
                                            std::set<Address> addresses);

/// Who may call, whether the listen address can be used, and whether the file of API keys is valid.
[[nodiscard]] Findings check_listening(const Executor& executor, const config::Config& config);
/// Whether the limit on open files and connections suffices for `serve`, once it has raised the limit to the maximum.
[[nodiscard]] Findings check_descriptors(const config::Config& config, const DescriptorLimit& limit);
[[nodiscard]] Findings check_tls(const http::TlsFiles& tls, UnixTime now);

}  // namespace fencepost::doctor
