#include <fmt/format.h>

#include "doctor/checks.hpp"

namespace fencepost::doctor {
namespace {

// Endpoints, keys, files, and connections that are being refused.
constexpr std::uint64_t for_the_rest = 256;

std::uint64_t descriptors_needed(const config::Config& config) {
    const std::uint64_t database = 3 * config.database.postgres.connections + 2;
    return config.server.max_connections + config.threads * database + for_the_rest;
}

}  // namespace

Findings check_descriptors(const config::Config& config, const DescriptorLimit& limit) {
    const std::string subject = "open files";
    const auto needed = descriptors_needed(config);
    if (limit.most >= needed) return {good(subject, fmt::format("limit {}, needed {}", limit.most, needed))};
    return {doubtful(subject,
                     fmt::format("the limit is {}, but {} client connections (http.maxConnections) and other files "
                                 "need {}",
                                 limit.most, config.server.max_connections, needed),
                     "raise the limit (LimitNOFILE= of systemd, ulimit -Hn), or lower http.maxConnections")};
}

}  // namespace fencepost::doctor
