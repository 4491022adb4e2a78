#include "config/config.hpp"

#include <algorithm>

namespace fencepost::config {

const ChainConfig* Config::find(const ChainRef& ref) const {
    const auto found = std::ranges::find(chains, ref, &ChainConfig::ref);
    return found == chains.end() ? nullptr : &*found;
}

const LaneSettings* Config::lane_of(const SubmitterId& submitter) const {
    const auto own = std::ranges::find(submitters, submitter, &SubmitterConfig::id);
    if (own != submitters.end()) return &own->lane;
    const auto* const on = find(submitter.chain());
    return on == nullptr ? nullptr : &on->lane;
}

}  // namespace fencepost::config
