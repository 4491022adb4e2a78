// Configuration keys for the life of a transaction. They may be set globally, for a chain and for a submitter.
#include "config/keys/keys.hpp"

namespace fencepost::config {
namespace {

using lane::LaneOptions;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration a_day = hours(24);

/// The configuration has a switch for the two nonce modes.
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

/// "auto" or a number.
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

/// How many transactions of a delegated account may be in flight.
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

/// Setting any policy key creates the policy.
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
        "Strict nonce mode: nonces without gaps, for keys that only Fencepost uses. Set it to false for keys shared "
        "with other systems.");
    add(table, "nonce.window", window(), at(&LaneOptions::window),
        "Maximum number of transactions of a submitter in flight (sent and not mined). auto starts with 16 and finds "
        "out "
        "how many the endpoints' pools hold, up to 4096. A number is never exceeded; 1 sends the next transaction when "
        "the last one is mined.");
    add(table, "nonce.delegatedAccounts", delegated_accounts(), at(&LaneOptions::delegated_one_at_a_time),
        "Maximum number of transactions in flight when the account is delegated to a contract (EIP-7702): single, "
        "because geth's pool "
        "holds one transaction of such an account, or window, as many as nonce.window, where the chain's nodes have no "
        "such "
        "limit.");
    add(table, "nonce.startFrom", count(), at(&LaneOptions::start_from),
        "The first nonce of a new submitter; rejected if the chain's transaction count differs. Without it, the "
        "chain's "
        "count.");
    add(table, "nonce.adoptPending", on_or_off(), at(&LaneOptions::adopt_pending),
        "Start a new submitter although external transactions of its key are in flight.");
    add(table, "nonce.firstContactPatience", duration(seconds(1), a_day), at(&LaneOptions::bootstrap_timeout),
        "How long the nonce bootstrap of a new submitter waits for endpoints that do not answer, before it relies on "
        "the others.");
    add(table, "allocation.nonceStateTimeout", duration({}, a_day),
        of_shared(&relaxed::RelaxedOptions::nonce_state_timeout),
        "Shared keys: how long the chain's transaction count is cached; 0s requests it each time.");
    add(table, "allocation.reservedTimeout", duration(seconds(1), 30 * a_day),
        of_shared(&relaxed::RelaxedOptions::reserved_timeout),
        "Shared keys: time after which a reserved nonce that was not sent may be allocated to another transaction.");
    add(table, "allocation.holePatience", duration(seconds(1), a_day),
        of_shared(&relaxed::RelaxedOptions::gap_fill_delay),
        "Shared keys: how long a returned nonce below nonces in flight waits for a new transaction, twice; "
        "then a gap filler (a no-op transaction) consumes it.");
    add(table, "onFailure", choice<lane::OnFailure>(), at(&LaneOptions::on_failure),
        "Whether the queue continues or stops after a transaction fails or is rejected.");
}

void add_confirmations(Keys<LaneSettings>& table) {
    add(table, "confirmations.finality", choice<lane::FinalityRule>(), at(&LaneOptions::finality),
        "When a receipt is final: at confirmations.required blocks of depth, or when its block is safe or finalized.");
    add(table, "confirmations.required", count(0, 100'000), at(&LaneOptions::confirmations_required),
        "Number of blocks required above a transaction's block.");
    add(table, "confirmations.staleReceiptTimeout", duration(seconds(1), a_day),
        at(&LaneOptions::stale_receipt_timeout), "Time after which a receipt that no block contained is requested.");
    add(table, "confirmations.fetchReceiptUponEntry", on_or_off(), at(&LaneOptions::fetch_receipt_upon_entry),
        "On takeover of a submitter, request the receipts of its transactions in flight at once.");
}

void add_sending(Keys<LaneSettings>& table) {
    add(table, "resubmit.enabled", on_or_off(), at(&LaneOptions::resubmit, &lane::ResubmitRules::enabled),
        "Resubmit the same bytes while there is no receipt.");
    add(table, "resubmit.interval", duration(seconds(1), a_day), at(&LaneOptions::resubmit_interval),
        "Time without a receipt before the first resubmission; the next ones follow after 2, 4 and 8 times as long.");
    add(table, "resubmit.maxAttempts", count(1, 1'000'000),
        at(&LaneOptions::resubmit, &lane::ResubmitRules::max_attempts),
        "Number of broadcasts after which a transaction is STUCK.");
    add(table, "resubmit.longestBackoff", duration(seconds(1), a_day), at(&LaneOptions::max_backoff),
        "Maximum delay between retries of a failed call; the delay starts at 1s and doubles.");
    add(table, "gasbump.enabled", on_or_off(), at(&LaneOptions::bump, &lane::BumpRules::enabled),
        "Bump the fees of a transaction that is not mined.");
    add(table, "gasbump.minInterval", duration(seconds(1), a_day),
        at(&LaneOptions::bump, &lane::BumpRules::min_interval), "Minimum time between two bumps.");
    add(table, "gasbump.maxAttempts", count(1, 1'000), at(&LaneOptions::bump, &lane::BumpRules::max_attempts),
        "Maximum number of bumps.");
    add(table, "gasbump.multiplier", factor(), at(&LaneOptions::bump, &lane::BumpRules::multiplier),
        "Factor by which a bump raises each fee; nodes reject less than 1.1.");
    add(table, "fees.cap", amount(), at(&LaneOptions::fee_cap), "Maximum fee per gas of a transaction.");
    add(table, "fees.fillerCap", amount(), at(&LaneOptions::filler_fee_cap),
        "Maximum fee per gas of a gap filler (a no-op transaction at the same nonce); must exceed fees.cap by more "
        "than an eighth.");
    add(table, "fees.fillerGas", count(21'000, 10'000'000), at(&LaneOptions::filler_gas),
        "Gas reserved for a gap filler.");
    add(table, "fees.priceTtl", duration(seconds(1), a_day), at(&LaneOptions::price_ttl),
        "Maximum age of a fee quote; a transaction not sent within this time gets a new one.");
}

void add_policy(Keys<LaneSettings>& table) {
    add(table, "policy.destinations", addresses(), of_policy(&SubmitterPolicy::destinations),
        "Only these addresses may receive transfers and calls; without it, all. Any policy key creates a policy: what "
        "it does not "
        "allow is rejected.");
    add(table, "policy.functions", functions(), of_policy(&SubmitterPolicy::selectors),
        "Only these functions may be called, for example transfer(address,uint256) or 0xa9059cbb; without it, all.");
    add(table, "policy.plainTransfers", on_or_off(), of_policy(&SubmitterPolicy::allow_plain_transfers),
        "Allow transfers without data when policy.functions is set.");
    add(table, "policy.deployments", on_or_off(), of_policy(&SubmitterPolicy::allow_deployments),
        "Allow contract deployments when there is a policy.");
    add(table, "policy.maxValue", amount(), of_limits(&SpendLimits::value_per_transaction),
        "Maximum value of one transaction.");
    add(table, "policy.maxGasSpend", amount(), of_limits(&SpendLimits::gas_spend_per_transaction),
        "Maximum gas cost of one transaction: gas limit times fee.");
    add(table, "policy.maxValuePerWindow", amount(), of_limits(&SpendLimits::value_per_window),
        "Maximum total value of all transactions within policy.window.");
    add(table, "policy.maxGasSpendPerWindow", amount(), of_limits(&SpendLimits::gas_spend_per_window),
        "Maximum total gas cost of all transactions within policy.window.");
    add(table, "policy.window", duration(seconds(1), 30 * a_day), of_limits(&SpendLimits::window),
        "The period of the limits per window.");
    add(table, "monitoring.lowBalance", amount(), at(&LaneOptions::low_balance),
        "Raise an alert when the balance, minus what is in flight, is below this.");
}

void add_trouble(Keys<LaneSettings>& table) {
    add(table, "timeout.transactionTimeout", duration(seconds(1), 365 * a_day), at(&LaneOptions::transaction_timeout),
        "Time without a receipt after which a transaction times out.");
    add(table, "timeout.failOnTimeout", on_or_off(), at(&LaneOptions::fail_on_timeout),
        "Abandon a transaction that has timed out: a gap filler (a no-op transaction) consumes its nonce.");
    add(table, "timeout.stuckAfter", duration(seconds(1), 365 * a_day), at(&LaneOptions::stuck_after),
        "Time without a receipt after which a transaction is STUCK.");
    add(table, "refusal.agreement", count(1, 100), at(&LaneOptions::refusal_agreement),
        "Number of endpoints that must permanently reject a transaction before it is abandoned.");
    add(table, "refusal.rounds", count(1, 100), at(&LaneOptions::refusal_rounds),
        "Number of consecutive rejections required from each of them.");
    add(table, "greyZone.enabled", on_or_off(), of_grey_zone(&lane::GreyZoneRules::enabled),
        "Search automatically for a transaction that a connector may have sent without reporting its hash.");
    add(table, "greyZone.interval", duration(seconds(1), a_day), of_grey_zone(&lane::GreyZoneRules::interval),
        "How often it is searched for.");
    add(table, "greyZone.timeout", duration(seconds(1), a_day), of_grey_zone(&lane::GreyZoneRules::timeout),
        "Time after which the search for a nonce that is still unused is given up.");
    add(table, "mempool.diagnose.enabled", on_or_off(), at(&LaneOptions::diagnose),
        "Query the nodes why a transaction is overdue, and record the answer in its history.");
    add(table, "reconcile.interval", duration(seconds(1), 30 * a_day), at(&LaneOptions::reconcile_interval),
        "How often a submitter's nonces are reconciled with the chain.");
    add(table, "monitoring.reconcileFailures", count(1, 1000), at(&LaneOptions::reconcile_failures),
        "Raise an alert after this many failed reconciliations in a row.");
    add(table, "monitoring.reservedThreshold", count(1), of_shared(&relaxed::RelaxedOptions::reserved_threshold),
        "Shared keys: raise an alert when more nonces than this are reserved and not sent.");
    add(table, "queue.lookInterval", duration(milliseconds(10), hours(1)), at(&LaneOptions::poll_interval),
        "How often a submitter polls its queue when it is not notified.");
    add(table, "queue.fullLookInterval", duration(milliseconds(10), hours(1)), at(&LaneOptions::full_scan_interval),
        "How often it polls its queue from the start, not from the low-water mark.");
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
