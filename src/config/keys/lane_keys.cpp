// Keys about the life of a transaction. They may stand at the top, in a chain and in a submitter.
#include "config/keys/keys.hpp"

namespace fencepost::config {
namespace {

using lane::LaneOptions;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration a_day = hours(24);

/// The seeds' switch for what is a choice of two here.
Kind<lane::NonceMode> strictness() {
    using lane::NonceMode;
    const auto kind = on_or_off();
    return {.type = kind.type,
            .read = [kind](const Items& items) -> Read<NonceMode> {
                const auto strict = kind.read(items);
                if (!strict) return err(strict.error());
                return *strict ? NonceMode::strict : NonceMode::relaxed;
            },
            .show = [kind](const NonceMode& mode) { return kind.show(mode == NonceMode::strict); },
            .is_switch = true};
}

/// "auto", or a number.
Kind<WindowRules> window() {
    static constexpr std::string_view automatic = "auto";
    const auto number = count(1, 10'000);
    auto kind = single<WindowRules>(
        "auto or a number",
        [number](std::string_view text) -> Read<WindowRules> {
            if (text == automatic) return WindowRules{};
            const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
            if (!is_number) return err(ValueError{"is neither auto nor a whole number"});
            const auto fixed = number.read({std::string(text)});
            if (!fixed) return err(fixed.error());
            return WindowRules(static_cast<std::uint32_t>(*fixed));
        },
        [](const WindowRules& rules) {
            return rules.is_fixed() ? fmt::to_string(rules.ceiling) : std::string(automatic);
        });
    kind.bounds = number.bounds;
    return kind;
}

/// How many transactions of a delegated account are sent at once.
Kind<bool> delegated_accounts() {
    const auto kind = choice<DelegatedAccounts>();
    return {.type = kind.type,
            .read = [kind](const Items& items) -> Read<bool> {
                const auto chosen = kind.read(items);
                if (!chosen) return err(chosen.error());
                return *chosen == DelegatedAccounts::single;
            },
            .show =
                [kind](const bool& one_at_a_time) {
                    return kind.show(one_at_a_time ? DelegatedAccounts::single : DelegatedAccounts::window);
                },
            .bounds = kind.bounds};
}

/// A policy is there as soon as one of its keys is set.
auto of_policy(auto... members) {
    return [=](auto& lane) -> auto& {
        if constexpr (std::is_const_v<std::remove_reference_t<decltype(lane)>>) {
            static const SubmitterPolicy none;
            return at(members...)(lane.policy ? *lane.policy : none);
        } else {
            if (!lane.policy) lane.policy.emplace();
            return at(members...)(*lane.policy);
        }
    };
}
auto of_limits(auto member) { return of_policy(&SubmitterPolicy::limits, member); }

auto of_shared(auto member) { return at(&LaneOptions::relaxed, member); }
auto of_grey_zone(auto member) { return at(&LaneOptions::grey_zone, member); }

void add_nonces(Keys<LaneSettings>& table) {
    add(table, "nonce.strict.enabled", strictness(), at(&LaneOptions::mode),
        "Nonces without a gap, for keys that nobody else uses; false is for keys that are shared with other systems.");
    add(table, "nonce.window", window(), at(&LaneOptions::window),
        "How many transactions of a submitter may be in flight: sent, and not mined. auto begins with 16 and finds out "
        "how many the endpoints' pools hold, up to 4096. A number is never exceeded, and 1 sends the next when the "
        "last "
        "is mined.");
    add(table, "nonce.delegatedAccounts", delegated_accounts(), at(&LaneOptions::delegated_one_at_a_time),
        "How many may be in flight when the account is delegated to a contract (EIP-7702): single, because geth's pool "
        "holds one transaction of such an account, or as many as nonce.window says, where a chain's nodes have no such "
        "limit.");
    add(table, "nonce.startFrom", count(), at(&LaneOptions::start_from),
        "The first nonce of a new submitter, refused where the chain's count is another; without it, the chain's "
        "count.");
    add(table, "nonce.adoptPending", on_or_off(), at(&LaneOptions::adopt_pending),
        "Begin with a key although somebody else has transactions in flight with it.");
    add(table, "nonce.firstContactPatience", duration(seconds(1), a_day), at(&LaneOptions::first_contact_patience),
        "So long a new submitter waits for endpoints that do not answer before it believes the others.");
    add(table, "allocation.nonceStateTimeout", duration({}, a_day),
        of_shared(&relaxed::RelaxedOptions::nonce_state_timeout),
        "With a shared key, so long the chain's count is not asked for again; 0s asks each time.");
    add(table, "allocation.reservedTimeout", duration(seconds(1), 30 * a_day),
        of_shared(&relaxed::RelaxedOptions::reserved_timeout),
        "With a shared key, a nonce that was reserved and not sent for so long may be given to somebody else.");
    add(table, "allocation.holePatience", duration(seconds(1), a_day),
        of_shared(&relaxed::RelaxedOptions::hole_patience),
        "With a shared key, a nonce that was given back below others in flight waits so long for a transaction, twice; "
        "then it is filled.");
    add(table, "onFailure", choice<lane::OnFailure>(), at(&LaneOptions::on_failure),
        "What happens to the queue behind a transaction that failed or was rejected.");
}

void add_confirmations(Keys<LaneSettings>& table) {
    add(table, "confirmations.finality", choice<lane::FinalityRule>(), at(&LaneOptions::finality),
        "When a receipt is final: so many blocks above it, or its block is safe, or finalized.");
    add(table, "confirmations.required", count(0, 100'000), at(&LaneOptions::confirmations_required),
        "How many blocks must stand above a transaction's block.");
    add(table, "confirmations.staleReceiptTimeout", duration(seconds(1), a_day),
        at(&LaneOptions::stale_receipt_timeout), "A receipt that no block brought for so long is asked for.");
    add(table, "confirmations.fetchReceiptUponEntry", on_or_off(), at(&LaneOptions::fetch_receipt_upon_entry),
        "Ask at once for the receipts of what is in flight when a submitter is taken over.");
}

void add_sending(Keys<LaneSettings>& table) {
    add(table, "resubmit.enabled", on_or_off(), at(&LaneOptions::resubmit, &lane::ResubmitRules::enabled),
        "Send the same bytes again when nothing is heard of them.");
    add(table, "resubmit.interval", duration(seconds(1), a_day), at(&LaneOptions::resubmit_interval),
        "They are sent again after so long without a receipt, then after 2, 4 and 8 times as long.");
    add(table, "resubmit.maxAttempts", count(1, 1'000'000),
        at(&LaneOptions::resubmit, &lane::ResubmitRules::max_attempts),
        "After so many sendings a transaction is STUCK.");
    add(table, "resubmit.longestBackoff", duration(seconds(1), a_day), at(&LaneOptions::longest_backoff),
        "Calls that fail are tried again after 1, 2, 4… seconds, and at most so many.");
    add(table, "gasbump.enabled", on_or_off(), at(&LaneOptions::bump, &lane::BumpRules::enabled),
        "Raise the fees of a transaction that is not mined.");
    add(table, "gasbump.minInterval", duration(seconds(1), a_day),
        at(&LaneOptions::bump, &lane::BumpRules::min_interval), "So long lies between two bumps.");
    add(table, "gasbump.maxAttempts", count(1, 1'000), at(&LaneOptions::bump, &lane::BumpRules::max_attempts),
        "How often fees are raised.");
    add(table, "gasbump.multiplier", factor(), at(&LaneOptions::bump, &lane::BumpRules::multiplier),
        "By which each fee rises; nodes refuse less than 1.1.");
    add(table, "fees.cap", amount(), at(&LaneOptions::fee_cap), "The most a transaction offers for a unit of gas.");
    add(table, "fees.fillerCap", amount(), at(&LaneOptions::filler_fee_cap),
        "The most a filler offers for a unit of gas; by more than an eighth above fees.cap.");
    add(table, "fees.fillerGas", count(21'000, 10'000'000), at(&LaneOptions::filler_gas),
        "What is set aside for a filler, in gas.");
    add(table, "fees.priceTtl", duration(seconds(1), a_day), at(&LaneOptions::price_ttl),
        "What was priced longer ago and not sent is priced again.");
}

void add_policy(Keys<LaneSettings>& table) {
    add(table, "policy.destinations", addresses(), of_policy(&SubmitterPolicy::destinations),
        "Only these may be paid and called; without it, everybody. Any key of policy makes a policy: what it does not "
        "allow is refused.");
    add(table, "policy.functions", functions(), of_policy(&SubmitterPolicy::selectors),
        "Only these may be called, as in transfer(address,uint256) or 0xa9059cbb; without it, all.");
    add(table, "policy.plainTransfers", on_or_off(), of_policy(&SubmitterPolicy::allow_plain_transfers),
        "Allow transfers without data, where policy.functions is set.");
    add(table, "policy.deployments", on_or_off(), of_policy(&SubmitterPolicy::allow_deployments),
        "Allow contracts to be deployed, where there is a policy.");
    add(table, "policy.maxValue", amount(), of_limits(&SpendLimits::value_per_transaction),
        "The most that one transaction may pay.");
    add(table, "policy.maxGasSpend", amount(), of_limits(&SpendLimits::gas_spend_per_transaction),
        "The most that its gas may cost: limit times fee.");
    add(table, "policy.maxValuePerWindow", amount(), of_limits(&SpendLimits::value_per_window),
        "The most that all transactions within policy.window may pay together.");
    add(table, "policy.maxGasSpendPerWindow", amount(), of_limits(&SpendLimits::gas_spend_per_window),
        "The most that their gas may cost together.");
    add(table, "policy.window", duration(seconds(1), 30 * a_day), of_limits(&SpendLimits::window),
        "The time over which is summed.");
    add(table, "monitoring.lowBalance", amount(), at(&LaneOptions::low_balance),
        "A balance below this, less what is in flight, raises an alert.");
}

void add_trouble(Keys<LaneSettings>& table) {
    add(table, "timeout.transactionTimeout", duration(seconds(1), 365 * a_day), at(&LaneOptions::transaction_timeout),
        "A transaction without a receipt for so long has timed out.");
    add(table, "timeout.failOnTimeout", on_or_off(), at(&LaneOptions::fail_on_timeout),
        "Give up what has timed out: a filler consumes its nonce.");
    add(table, "timeout.stuckAfter", duration(seconds(1), 365 * a_day), at(&LaneOptions::stuck_after),
        "A transaction without a receipt for so long is STUCK.");
    add(table, "refusal.agreement", count(1, 100), at(&LaneOptions::refusal_agreement),
        "So many endpoints must refuse a transaction for good before its nonce is given up.");
    add(table, "refusal.rounds", count(1, 100), at(&LaneOptions::refusal_rounds),
        "They must refuse it so many times in a row.");
    add(table, "greyZone.enabled", on_or_off(), of_grey_zone(&lane::GreyZoneRules::enabled),
        "Look by itself for what a connector may have sent without telling its hash.");
    add(table, "greyZone.interval", duration(seconds(1), a_day), of_grey_zone(&lane::GreyZoneRules::interval),
        "How often the grey zone is searched.");
    add(table, "greyZone.timeout", duration(seconds(1), a_day), of_grey_zone(&lane::GreyZoneRules::timeout),
        "A nonce that is still free after so long is given up.");
    add(table, "mempool.diagnose.enabled", on_or_off(), at(&LaneOptions::diagnose),
        "Ask nodes why a transaction is overdue, and keep the answer in its history.");
    add(table, "reconcile.interval", duration(seconds(1), 30 * a_day), at(&LaneOptions::reconcile_interval),
        "How often a submitter's nonces are compared with the chain's.");
    add(table, "monitoring.reconcileFailures", count(1, 1000), at(&LaneOptions::reconcile_failures),
        "Comparisons that failed so many times in a row raise an alert.");
    add(table, "monitoring.reservedThreshold", count(1), of_shared(&relaxed::RelaxedOptions::reserved_threshold),
        "More nonces of a shared key than this reserved and not sent raise an alert.");
    add(table, "queue.lookInterval", duration(milliseconds(10), hours(1)), at(&LaneOptions::look_interval),
        "A submitter that was not woken looks for new work this often.");
    add(table, "queue.fullLookInterval", duration(milliseconds(10), hours(1)), at(&LaneOptions::full_look_interval),
        "It looks from the very beginning of its queue this often.");
}

}  // namespace

const Keys<LaneSettings>& lane_keys() {
    static const auto table = [] {
        Keys<LaneSettings> keys;
        add_nonces(keys);
        add_confirmations(keys);
        add_sending(keys);
        add_policy(keys);
        add_trouble(keys);
        return keys;
    }();
    return table;
}

}  // namespace fencepost::config
