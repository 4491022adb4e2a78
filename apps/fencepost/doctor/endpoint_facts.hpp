// Judges what an endpoint reports, compared with the other endpoints of its chain. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "doctor/finding.hpp"
#include "domain/ids.hpp"

namespace fencepost::doctor {

struct EndpointFacts {
    std::uint64_t chain_id = 0;
    BlockHash genesis{};
    BlockNumber head{};
    UnixTime head_time{};
};

struct EndpointResult {
    std::string name;
    /// The facts, or why there are none.
    Result<EndpointFacts, std::string> facts;
};

struct ExpectedChain {
    std::string name;
    std::uint64_t chain_id = 0;
    std::optional<BlockHash> genesis{};
    std::uint64_t max_lag = 0;
};

/// One finding per endpoint, in order.
[[nodiscard]] Findings check_endpoint_facts(const ExpectedChain& chain, std::span<const EndpointResult> endpoints,
                                            UnixTime now);

}  // namespace fencepost::doctor
