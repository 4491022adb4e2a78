// Error messages that all signers share.
#pragma once

#include <fmt/format.h>

#include "ports/signer.hpp"

namespace fencepost::signers {

[[nodiscard]] inline SignError no_key(const SubmitterId& submitter) {
    return {SignError::Kind::no_key, fmt::format("no key for {}", submitter.to_display())};
}

[[nodiscard]] inline SignError not_signable(const ParseError& why) {
    return {SignError::Kind::refused, "not a transaction of an EVM chain: " + why.what};
}

}  // namespace fencepost::signers
