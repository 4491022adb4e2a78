// The sample transactions of the demo: a few of each outcome, as request bodies for the API.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "domain/address.hpp"

namespace fencepost::demo {

/// The addresses that the samples use.
struct SampleTargets {
    /// The accounts with keys: at least four.
    std::vector<Address> accounts;
    /// A contract on which transfer(address,uint256) succeeds.
    Address token;
    /// A contract on which every call reverts.
    Address failing;
};

struct Sample {
    std::string request_id;
    Address submitter;
    std::string what;  // description for the output
    std::string body;  // for POST /api/v1/tx
    /// The demo cancels it after it was broadcast.
    bool is_cancelled = false;
};

/// Cycles through the outcomes until there are `count`. Each run has its own request ids, so its samples are new.
[[nodiscard]] std::vector<Sample> make_samples(const SampleTargets& targets, std::size_t run, std::size_t count);

/// A request for the user to try: a plain transfer from the submitter of the first sample.
[[nodiscard]] std::string example_request_id(std::size_t run);
[[nodiscard]] std::string example_body(const SampleTargets& targets, std::size_t run);

}  // namespace fencepost::demo
