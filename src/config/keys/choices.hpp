// The names under which a configuration knows choices that other modules have no names for.
#pragma once

#include "base/text/enum_names.hpp"
#include "evm/fees/fee_quote.hpp"
#include "lane/loop/lane_options.hpp"

namespace fencepost::config {

/// How many transactions of an account that is delegated (EIP-7702) may be in flight.
enum class DelegatedAccounts {
    single,
    window,  // as many as of any other
};
FP_ENUM_NAMES(DelegatedAccounts, as_written, single, window)

enum class SignerKind {
    keystore,     // key files in a folder
    remote,       // another service
    pkcs11,       // a hardware security module
    development,  // plain keys: for toys
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

/// Fixed fees are for tests and have no keys.
namespace evm {
FP_ENUM_NAMES(FeeOptions::Kind, as_written, eip1559, legacy)
}  // namespace evm

}  // namespace fencepost
