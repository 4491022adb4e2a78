// What all signers say in the same words.
#pragma once

#include <fmt/format.h>

#include "ports/signer.hpp"

namespace fencepost::signers {

[[nodiscard]] inline SignError no_key(const SubmitterId& submitter) {
    return {SignError::Kind::no_key, fmt::format("there is no key for {} here", submitter.to_display())};
}

[[nodiscard]] inline SignError cannot_be_signed(const ParseError& why) {
    return {SignError::Kind::refused, "this is no transaction of an EVM chain: " + why.what};
}

}  // namespace fencepost::signers
