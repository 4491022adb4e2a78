// A submitter: one account on one chain. The id is CAIP-10 text, "eip155:1:0x…", so that other chain families fit in
// without changes to lane or store; each account has exactly one normalised text.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/result.hpp"
#include "domain/address.hpp"

namespace fencepost {

/// A chain by its CAIP-2 id, "eip155:1". The namespace selects the connector.
class ChainRef {
public:
    [[nodiscard]] static Result<ChainRef, ParseError> parse(std::string_view text);
    [[nodiscard]] static ChainRef evm(std::uint64_t chain_id);

    [[nodiscard]] std::string_view name_space() const;
    [[nodiscard]] std::string_view reference() const;
    /// The chain id of an EVM chain; none for another family.
    [[nodiscard]] std::optional<std::uint64_t> evm_chain_id() const;
    [[nodiscard]] const std::string& to_string() const { return text_; }

    friend bool operator==(const ChainRef&, const ChainRef&) = default;
    friend auto operator<=>(const ChainRef&, const ChainRef&) = default;

private:
    explicit ChainRef(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

class SubmitterId {
public:
    /// Parses "namespace:reference:account" and normalises it: an EVM address to lower case, an EVM chain id to decimal
    /// without leading zeros.
    [[nodiscard]] static Result<SubmitterId, ParseError> parse(std::string_view text);
    [[nodiscard]] static SubmitterId evm(std::uint64_t chain_id, const Address& address);

    [[nodiscard]] const ChainRef& chain() const { return parts_->chain; }
    [[nodiscard]] std::string_view account() const;
    [[nodiscard]] std::optional<Address> evm_address() const;

    /// The canonical text: two ids are the same submitter exactly when these are equal.
    [[nodiscard]] const std::string& to_string() const { return parts_->text; }
    /// The display form: an EVM address with its EIP-55 checksum.
    [[nodiscard]] std::string to_display() const;

    friend bool operator==(const SubmitterId& a, const SubmitterId& b) { return a.to_string() == b.to_string(); }
    friend auto operator<=>(const SubmitterId& a, const SubmitterId& b) { return a.to_string() <=> b.to_string(); }

private:
    struct Parts {
        ChainRef chain;
        std::string text;
    };

    SubmitterId(ChainRef chain, std::string_view account);

    // Shared by all copies, because every transaction, write and port call carries an id.
    std::shared_ptr<const Parts> parts_;
};

}  // namespace fencepost

template <>
struct std::hash<fencepost::SubmitterId> {
    std::size_t operator()(const fencepost::SubmitterId& id) const { return std::hash<std::string>{}(id.to_string()); }
};

template <>
struct fmt::formatter<fencepost::SubmitterId> : fmt::formatter<std::string> {
    auto format(const fencepost::SubmitterId& id, format_context& ctx) const {
        return fmt::formatter<std::string>::format(id.to_string(), ctx);
    }
};
