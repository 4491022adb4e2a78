// Table of send errors in six clients, and the rules that match them.
#include "evm/errors/send_errors.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <boost/json/value.hpp>

#include "base/text/hex.hpp"
#include "evm/errors/error_patterns.hpp"

namespace fencepost::evm {
namespace {

using enum SendOutcome;

constexpr std::int64_t any_code = 0;

struct Rule {
    SendOutcome outcome;
    std::string_view words;
    std::string_view and_words = {};
    std::int64_t code = any_code;
};

// The first match wins. A pattern that is a substring of another comes after it: "replacement transaction underpriced"
// before "transaction underpriced", "fee_too_low: replacement…" before "fee_too_low".
constexpr std::array rules{
    // A contract's revert reason follows these and must not be mistaken for the node's message. Hardhat uses the second
    // for a transaction that it has mined.
    Rule{rejected, "execution reverted"},
    Rule{unknown, "vm exception while processing transaction"},
    Rule{unknown, "reverted with"},

    Rule{replacement_underpriced, "replacement transaction underpriced"},
    Rule{replacement_underpriced, "could not replace existing tx"},
    Rule{replacement_underpriced, "replacementnotallowed"},

    Rule{already_known, "already known"},
    Rule{already_known, "known transaction"},
    Rule{already_known, "alreadyknown"},
    Rule{already_known, "ownnoncealreadyused"},
    Rule{already_known, "existing txn with same hash"},
    Rule{already_known, "transaction already imported"},
    Rule{already_known, "tx already exists"},

    Rule{nonce_too_low, "nonce too low"},
    Rule{nonce_too_low, "oldnonce"},
    Rule{nonce_too_low, "invalid nonce"},

    Rule{nonce_too_high, "nonce too high"},
    Rule{nonce_too_high, "nonce too far in future"},
    Rule{nonce_too_high, "nonce gap too large"},
    Rule{nonce_too_high, "noncegap"},

    Rule{fee_below_base_fee, "max fee per gas less than block base fee"},
    Rule{fee_below_base_fee, "gas price below current base fee"},
    Rule{fee_below_base_fee, "transaction maxfeepergas (", "is too low for the next block"},
    Rule{fee_below_base_fee, "transaction gasprice (", "is too low for the next block"},

    Rule{tip_above_cap, "max priority fee per gas higher than max fee per gas"},
    Rule{tip_above_cap, "max priority fee per gas exceeds max fee per gas"},
    Rule{tip_above_cap, "invalidmaxpriorityfeepergas"},

    Rule{node_fee_cap, "tx fee (", "exceeds the configured cap"},
    Rule{node_fee_cap, "transaction fee cap exceeded"},

    // The message names the minimum, so the price is too low however full the pool is.
    Rule{price_floor, "transaction underpriced", "minimum needed"},
    Rule{price_floor, "transaction gas price below minimum"},
    Rule{price_floor, "gas price below configured minimum gas price"},
    Rule{price_floor, "transaction gas price is", "below the minimum of"},

    Rule{underpriced, "transaction underpriced"},
    Rule{underpriced, "fee_too_low"},
    Rule{underpriced, "fee too low"},
    Rule{underpriced, "feetoolow"},

    Rule{insufficient_funds, "insufficient funds"},
    Rule{insufficient_funds, "insufficientfunds"},
    Rule{insufficient_funds, "upfront cost exceeds account balance"},
    Rule{insufficient_funds, "sender doesn't have enough funds"},
    Rule{insufficient_funds, "balance too low"},

    Rule{over_block_gas_limit, "exceeds block gas limit"},
    Rule{over_block_gas_limit, "exceeds transaction gas cap"},
    Rule{over_block_gas_limit, "transaction gas limit too high"},
    Rule{over_block_gas_limit, "gas limit is too high"},
    Rule{over_block_gas_limit, "gas limit reached"},
    Rule{over_block_gas_limit, "gaslimitexceeded"},
    Rule{over_block_gas_limit, "intrinsic gas too high"},
    Rule{over_block_gas_limit, "gas limit", "cap exceeded"},

    Rule{intrinsic_gas, "gas too low"},
    Rule{intrinsic_gas, "intrinsicgas"},
    Rule{intrinsic_gas, "intrinsic gas exceeds gas limit"},
    Rule{intrinsic_gas, "insufficient gas for floor data gas cost"},
    Rule{intrinsic_gas, "transaction requires at least", "gas but got"},

    Rule{pool_full, "txpool is full"},
    Rule{pool_full, "sub-pool is full"},

    Rule{account_limit, "account limit exceeded"},
    Rule{account_limit, "nonce is too distant"},
    Rule{account_limit, "nonce too distant"},
    // The pool is full, but it refuses only what the account sent ahead of its gap.
    Rule{account_limit, "future transaction tries to replace pending"},
    // No room while another transaction of the account is in the pool (EIP-7702); temporary.
    Rule{account_limit, "in-flight transaction limit reached for delegated accounts"},
    Rule{account_limit, "gapped-nonce tx from delegated accounts"},
    Rule{account_limit, "authority already reserved"},
    Rule{account_limit, "address already reserved"},

    Rule{invalid_signature, "invalid sender"},
    Rule{invalid_signature, "invalid signature"},

    Rule{rejected, "oversized data"},

    // Besu's codes, for messages not listed above.
    Rule{nonce_too_low, "nonce", {}, -32001},
    Rule{invalid_signature, "signature", {}, -32002},
    Rule{intrinsic_gas, "intrinsic gas", {}, -32003},
    Rule{insufficient_funds, "balance", {}, -32004},
    Rule{over_block_gas_limit, "gas limit", {}, -32005},
    Rule{nonce_too_high, "nonce", {}, -32006},
    Rule{fee_below_base_fee, "base fee", {}, -32009},
    Rule{underpriced, "gas price", {}, -32009},
};

bool fits(const Rule& rule, std::int64_t code, std::string_view text) {
    return (rule.code == any_code || rule.code == code) && says(text, rule.words) &&
           (rule.and_words.empty() || says(text, rule.and_words));
}

SendReport::Answer unknown_answer(std::string_view endpoint, std::string message) {
    return {.endpoint = std::string(endpoint), .outcome = unknown, .message = std::move(message)};
}

SendReport::Answer report_of_result(std::string_view endpoint, const TxHash& hash, const boost::json::value& result) {
    const auto* text = result.if_string();
    const auto bytes = from_hex(text == nullptr ? std::string_view{} : std::string_view(*text));
    const auto answered = bytes ? TxHash::from(*bytes) : std::nullopt;
    if (!answered) return unknown_answer(endpoint, "the answer has no hash");
    if (*answered != hash) return unknown_answer(endpoint, "the answer is another transaction's hash");
    return {.endpoint = std::string(endpoint), .outcome = accepted};
}

}  // namespace

SendOutcome outcome_of(std::int64_t code, std::string_view message) {
    const std::string text = lower_case(message);
    const auto* const rule = std::ranges::find_if(rules, [&](const Rule& r) { return fits(r, code, text); });
    return rule == rules.end() ? unknown : rule->outcome;
}

// The minimum in wei, as geth ("minimum needed 1000000000") and Hardhat ("below the minimum of 8000000000") name it.
std::optional<Wei> least_tip_in(std::string_view message) {
    for (const std::string_view words : {"minimum needed ", "minimum of "}) {
        const auto at = message.find(words);
        if (at == std::string_view::npos) continue;
        const auto number = message.substr(at + words.size());
        const auto digits = std::min(number.find_first_not_of("0123456789"), number.size());
        if (const auto parsed = Uint256::parse(number.substr(0, digits))) return Wei(*parsed);
    }
    return std::nullopt;
}

SendReport::Answer report_of(std::string_view endpoint, const TxHash& hash, const jsonrpc::Answer& answer) {
    if (answer) return report_of_result(endpoint, hash, *answer);
    if (const auto* failure = std::get_if<jsonrpc::Failure>(&answer.error())) {
        return unknown_answer(endpoint, failure->what);
    }
    const auto& error = std::get<jsonrpc::ErrorAnswer>(answer.error());
    constexpr unsigned first_server_error = 500;
    if (error.http_status >= first_server_error) return unknown_answer(endpoint, error.message);
    const auto outcome = outcome_of(error.code, error.message);
    return {.endpoint = std::string(endpoint),
            .outcome = outcome,
            .message = error.message,
            .min_tip = outcome == price_floor ? least_tip_in(error.message) : std::nullopt};
}

std::optional<Refusal> refusal_of(SendOutcome outcome, std::string_view message) {
    switch (outcome) {
        case insufficient_funds:
            return Refusal::insufficient_funds;
        case intrinsic_gas:
            return Refusal::gas_too_low;
        case over_block_gas_limit:
            return Refusal::over_block_gas_limit;
        case invalid_signature:
            return Refusal::invalid_signature;
        case rejected:
            return says(lower_case(message), "execution reverted") ? Refusal::revert : Refusal::invalid_input;
        case tip_above_cap:
            return Refusal::invalid_input;
        case accepted:
        case already_known:
        case nonce_too_low:
        case nonce_too_high:
        case replacement_underpriced:
        case underpriced:
        case price_floor:
        case fee_below_base_fee:
        case node_fee_cap:
        case pool_full:
        case account_limit:
        case not_sent:
        case unknown:
            return std::nullopt;
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::evm
