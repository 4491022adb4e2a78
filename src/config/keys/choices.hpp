// Names of enum values in the configuration, for enums that have no such names in their own module.
#pragma once

#include "base/text/enum_names.hpp"
#include "evm/fees/fee_quote.hpp"
#include "lane/loop/lane_options.hpp"

namespace fencepost::config {

/// How many transactions of a delegated account (EIP-7702) may be in flight.
enum class DelegatedAccounts {
    single,
    window,  // as for any other account
};
FP_ENUM_NAMES(DelegatedAccounts, as_written, single, window)

enum class SignerKind {
    keystore,     // key files in a folder
    remote,       // a signing service
    pkcs11,       // a hardware security module
    development,  // plain-text keys: for tests only
};
FP_ENUM_NAMES(SignerKind, as_written, keystore, remote, pkcs11, development)

}  // namespace fencepost::config

namespace fencepost {

namespace lane {
FP_ENUM_NAMES(FinalityRule, as_written, depth, safe, finalized)
}  // namespace lane

template <>
inline constexpr EnumNames<lane::OnFailure, 2> enum_names<lane::OnFailure>{{
    {lane::OnFailure::go_on, "continue"},
    {lane::OnFailure::stop, "stop"},
}};

/// Fixed fees are for tests only and have no keys.
namespace evm {
FP_ENUM_NAMES(FeeOptions::Kind, as_written, eip1559, legacy)
}  // namespace evm

}  // namespace fencepost
