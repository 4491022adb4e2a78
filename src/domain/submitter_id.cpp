#include "domain/submitter_id.hpp"

#include <algorithm>
#include <charconv>

#include "base/assert.hpp"

namespace fencepost {
namespace {

constexpr std::string_view evm_namespace = "eip155";

bool has_only_chars(std::string_view text, std::size_t min, std::size_t max, std::string_view extra) {
    const auto allowed = [extra](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || extra.contains(c);
    };
    return text.size() >= min && text.size() <= max && std::ranges::all_of(text, allowed);
}

bool is_lower_case(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::optional<std::uint64_t> parse_chain_id(std::string_view digits) {
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return id;
}

}  // namespace

ChainRef ChainRef::evm(std::uint64_t chain_id) { return ChainRef(fmt::format("{}:{}", evm_namespace, chain_id)); }

// Lengths and characters as in CAIP-2: namespace [-a-z0-9]{3,8}, reference [-_a-zA-Z0-9]{1,32}.
Result<ChainRef, ParseError> ChainRef::parse(std::string_view text) {
    const auto colon = text.find(':');
    const auto name = text.substr(0, colon);
    const auto reference = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
    if (!has_only_chars(name, 3, 8, "-") || !is_lower_case(name) || !has_only_chars(reference, 1, 32, "-_")) {
        return err(
            ParseError{fmt::format("\"{}\" is not a chain: write namespace:reference, for example eip155:1", text)});
    }
    if (name != evm_namespace) return ChainRef(std::string(text));

    const auto chain_id = parse_chain_id(reference);
    if (!chain_id) return err(ParseError{fmt::format("\"{}\" is not a chain: an EVM chain id is a number", text)});
    return evm(*chain_id);
}

std::string_view ChainRef::name_space() const { return std::string_view(text_).substr(0, text_.find(':')); }
std::string_view ChainRef::reference() const { return std::string_view(text_).substr(text_.find(':') + 1); }

std::optional<std::uint64_t> ChainRef::evm_chain_id() const {
    if (name_space() != evm_namespace) return std::nullopt;
    return parse_chain_id(reference());
}

SubmitterId::SubmitterId(ChainRef chain, std::string_view account) {
    auto text = fmt::format("{}:{}", chain.to_string(), account);
    parts_ = std::make_shared<const Parts>(std::move(chain), std::move(text));
}

SubmitterId SubmitterId::evm(std::uint64_t chain_id, const Address& address) {
    return {ChainRef::evm(chain_id), address.to_lower()};
}

Result<SubmitterId, ParseError> SubmitterId::parse(std::string_view text) {
    const auto last_colon = text.rfind(':');
    if (last_colon == std::string_view::npos || text.find(':') == last_colon) {
        return err(ParseError{
            fmt::format("\"{}\" is not a submitter: write namespace:chain:account, for example eip155:1:0x…", text)});
    }
    auto chain = ChainRef::parse(text.substr(0, last_colon));
    if (!chain) return err(std::move(chain).error());
    const auto account = text.substr(last_colon + 1);

    if (const auto chain_id = chain->evm_chain_id()) {
        const auto address = Address::parse(account);
        if (!address) return err(address.error());
        return evm(*chain_id, *address);
    }
    // CAIP-10: account [-.%a-zA-Z0-9]{1,128}. Only the chain family knows which spellings denote the same account.
    if (!has_only_chars(account, 1, 128, "-.%"))
        return err(ParseError{fmt::format("\"{}\" is not an account", account)});
    return SubmitterId(*std::move(chain), account);
}

std::string_view SubmitterId::account() const {
    return std::string_view(to_string()).substr(chain().to_string().size() + 1);
}

std::optional<Address> SubmitterId::evm_address() const {
    if (!chain().evm_chain_id()) return std::nullopt;
    const auto address = Address::parse(account());
    FP_ASSERT(address.has_value());
    return *address;
}

std::string SubmitterId::to_display() const {
    const auto address = evm_address();
    return address ? fmt::format("{}:{}", chain().to_string(), address->to_checksum()) : to_string();
}

}  // namespace fencepost
