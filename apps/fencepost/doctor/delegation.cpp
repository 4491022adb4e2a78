#include "doctor/delegation.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace fencepost::doctor {
namespace {

// The EIP-7702 prefix before the contract's address.
constexpr std::array<std::uint8_t, 3> delegation_prefix{0xef, 0x01, 0x00};

}  // namespace

std::optional<Address> delegate_in(ByteView code) {
    const bool is_delegated = code.size() == delegation_prefix.size() + Address::length &&
                              std::ranges::equal(code.first(delegation_prefix.size()), delegation_prefix);
    if (!is_delegated) return std::nullopt;
    Address delegate{};
    std::ranges::copy(code.subspan(delegation_prefix.size()), delegate.data.begin());
    return delegate;
}

Findings judge_delegation(const SubmitterId& account, ByteView code, bool one_at_a_time) {
    const auto delegate = delegate_in(code);
    if (!delegate) return {};
    const auto subject = fmt::format("account {}", account);
    const auto delegated = fmt::format("delegated to {} (EIP-7702)", delegate->to_checksum());
    if (!one_at_a_time) {
        return {
            good(subject, fmt::format("{}; its window is the same as for any other account (nonce.delegatedAccounts: "
                                      "window)",
                                      delegated))};
    }
    return {
        doubtful(subject,
                 fmt::format("{}: geth's pool holds one transaction of it at a time, so the next one is sent when the "
                             "last one is mined",
                             delegated),
                 "use an account that is not delegated if that is too slow or, if the chain's nodes have no such "
                 "limit, set nonce.delegatedAccounts: window")};
}

}  // namespace fencepost::doctor
