#include "lane/broadcast/send_report.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "domain/window/send_reaction.hpp"

namespace fencepost::lane {
namespace {

bool is_permanent(SendOutcome outcome) {
    switch (outcome) {
        case SendOutcome::intrinsic_gas:
        case SendOutcome::over_block_gas_limit:
        case SendOutcome::tip_above_cap:
        case SendOutcome::invalid_signature:
        case SendOutcome::rejected:
            return true;
        case SendOutcome::accepted:
        case SendOutcome::already_known:
        case SendOutcome::nonce_too_low:
        case SendOutcome::nonce_too_high:
        case SendOutcome::replacement_underpriced:
        case SendOutcome::underpriced:
        case SendOutcome::price_floor:
        case SendOutcome::fee_below_base_fee:
        case SendOutcome::node_fee_cap:
        case SendOutcome::insufficient_funds:
        case SendOutcome::pool_full:
        case SendOutcome::account_limit:
        case SendOutcome::not_sent:
        case SendOutcome::unknown:
            return false;
    }
    FP_UNREACHABLE();
}

// The endpoint was asked, and gave an answer that we understand.
bool is_definite(SendOutcome outcome) { return outcome != SendOutcome::unknown && outcome != SendOutcome::not_sent; }

// An endpoint without an answer has no vote, but counts in the total.
template <typename Says>
bool all_agree(const SendReport& report, const LaneOptions& options, Says agrees) {
    std::size_t votes = 0;
    for (const auto& answer : report.answers) {
        if (!is_definite(answer.outcome)) continue;
        if (!agrees(answer.outcome)) return false;
        ++votes;
    }
    return votes > 0 && votes >= std::min<std::size_t>(options.refusal_agreement, report.answers.size());
}

// The most informative answer: accepted, refused for a known reason, or nothing.
SendOutcome summary(const SendReport& report) {
    for (const auto& answer : report.answers)
        if (fencepost::is_held(answer.outcome)) return answer.outcome;
    for (const auto& answer : report.answers)
        if (is_definite(answer.outcome)) return answer.outcome;
    return is_not_sent(report) ? SendOutcome::not_sent : SendOutcome::unknown;
}

// Metric labels; "resolved" is counted when a receipt explains a "nonce too low".
std::string_view label_of(SendOutcome outcome) {
    if (outcome == SendOutcome::accepted) return "success";
    if (outcome == SendOutcome::already_known) return "idempotent";
    if (outcome == SendOutcome::unknown) return "grey_zone";
    return is_permanent(outcome) ? "rejected" : "transient";
}

}  // namespace

bool is_held(const SendReport& report) {
    return std::ranges::any_of(report.answers, [](const auto& answer) { return fencepost::is_held(answer.outcome); });
}

bool has_outcome(const SendReport& report, SendOutcome outcome) {
    return std::ranges::any_of(report.answers, [&](const auto& answer) { return answer.outcome == outcome; });
}

bool is_answered(const SendReport& report) {
    return std::ranges::any_of(report.answers, [](const auto& answer) { return is_definite(answer.outcome); });
}

bool is_not_sent(const SendReport& report) {
    return !report.answers.empty() && std::ranges::all_of(report.answers, [](const auto& answer) {
        return answer.outcome == SendOutcome::not_sent;
    });
}

bool is_refused_for_room(const SendReport& report) {
    const auto lacks_room = [](const auto& answer) {
        const auto reaction = reaction_to(answer.outcome);
        return !is_definite(answer.outcome) || reaction == SendReaction::reduce_pool ||
               reaction == SendReaction::reduce_account;
    };
    return is_answered(report) && std::ranges::all_of(report.answers, lacks_room);
}

bool is_refused_by_full_pool(const SendReport& report) {
    const auto is_full = [](const auto& answer) { return reaction_to(answer.outcome) == SendReaction::reduce_pool; };
    return is_refused_for_room(report) && std::ranges::any_of(report.answers, is_full);
}

std::optional<Wei> min_tip_of(const SendReport& report) {
    std::optional<Wei> least;
    for (const auto& answer : report.answers) {
        if (!is_definite(answer.outcome)) continue;
        if (answer.outcome != SendOutcome::price_floor || !answer.min_tip) return std::nullopt;
        if (!least || *answer.min_tip < *least) least = answer.min_tip;
    }
    return least;
}

bool is_permanently_refused(const SendReport& report, const LaneOptions& options) {
    return all_agree(report, options, is_permanent);
}

bool contradicts_refusal(const SendReport& report) {
    return std::ranges::any_of(report.answers, [](const auto& answer) {
        return is_definite(answer.outcome) && !is_permanent(answer.outcome);
    });
}

bool is_unpayable(const SendReport& report, const LaneOptions& options) {
    return all_agree(report, options, [](SendOutcome outcome) { return outcome == SendOutcome::insufficient_funds; });
}

std::string_view label_of(const SendReport& report) { return label_of(summary(report)); }

std::string describe(const SendReport& report) {
    if (report.answers.empty()) return "no endpoint in service";
    std::string words;
    for (const auto& answer : report.answers) {
        if (!words.empty()) words += "; ";
        words.append(answer.endpoint).append(": ").append(name_of(answer.outcome));
        if (!answer.message.empty()) words.append(", ").append(answer.message);
    }
    return words;
}

std::string refusal_reason(const std::string& answers) {
    return fmt::format("refused by the chain's nodes: {}", answers);
}

}  // namespace fencepost::lane
