// The names under which a configuration knows choices that other modules have no names for.
#pragma once

#include "base/text/enum_names.hpp"
#include "evm/fees/fee_quote.hpp"
#include "lane/loop/lane_options.hpp"

namespace fencepost::config {

/// How a node that gets a request finds the one that serves the submitter.
enum class RoutingStrategy { rendezvous };

/// How many transactions of an account that is delegated (EIP-7702) may be in flight.
enum class DelegatedAccounts {
    single,
    window,  // as many as of any other
};

enum class SignerKind {
    keystore,     // key files in a folder
    remote,       // another service
    pkcs11,       // a hardware security module
    development,  // plain keys: for toys
};

}  // namespace fencepost::config

namespace fencepost {

template <>
inline constexpr EnumNames<config::RoutingStrategy, 1> enum_names<config::RoutingStrategy>{{
    {config::RoutingStrategy::rendezvous, "rendezvous"},
}};

template <>
inline constexpr EnumNames<config::DelegatedAccounts, 2> enum_names<config::DelegatedAccounts>{{
    {config::DelegatedAccounts::single, "single"},
    {config::DelegatedAccounts::window, "window"},
}};

template <>
inline constexpr EnumNames<config::SignerKind, 4> enum_names<config::SignerKind>{{
    {config::SignerKind::keystore, "keystore"},
    {config::SignerKind::remote, "remote"},
    {config::SignerKind::pkcs11, "pkcs11"},
    {config::SignerKind::development, "development"},
}};

template <>
inline constexpr EnumNames<lane::FinalityRule, 3> enum_names<lane::FinalityRule>{{
    {lane::FinalityRule::depth, "depth"},
    {lane::FinalityRule::safe, "safe"},
    {lane::FinalityRule::finalized, "finalized"},
}};

template <>
inline constexpr EnumNames<lane::OnFailure, 2> enum_names<lane::OnFailure>{{
    {lane::OnFailure::go_on, "continue"},
    {lane::OnFailure::stop, "stop"},
}};

/// Fixed fees are for tests and have no keys.
template <>
inline constexpr EnumNames<evm::FeeOptions::Kind, 2> enum_names<evm::FeeOptions::Kind>{{
    {evm::FeeOptions::Kind::eip1559, "eip1559"},
    {evm::FeeOptions::Kind::legacy, "legacy"},
}};

}  // namespace fencepost
