// What a demonstration hands in: a few transactions of each kind of fate, as bodies for the API.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "domain/address.hpp"

namespace fencepost::demo {

/// Where the samples go.
struct SampleTargets {
    /// Whose keys are there: at least four.
    std::vector<Address> accounts;
    /// A call of transfer(address,uint256) there succeeds.
    Address token;
    /// Any call there fails.
    Address failing;
};

struct Sample {
    std::string request_id;
    Address submitter;
    std::string what;  // for people
    std::string body;  // for POST /api/v1/tx
    /// Its sender's mind changes once it was sent.
    bool is_cancelled = false;
};

/// The fates in turn until there are `count`. Runs have other request ids, so that a new run's samples are new.
[[nodiscard]] std::vector<Sample> make_samples(const SampleTargets& targets, std::size_t run, std::size_t count);

/// A body for somebody to try out: a plain transfer, from the submitter of the first sample.
[[nodiscard]] std::string example_request_id(std::size_t run);
[[nodiscard]] std::string example_body(const SampleTargets& targets, std::size_t run);

}  // namespace fencepost::demo
