// Settings for a run that breaks a rule on purpose (a mutant): the kind of keys that the rule concerns, and the faults
// that expose the breach. The seed decides everything else.
#include <algorithm>

#include "sim/simulation/settings.hpp"

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

// Deeper than the required confirmations, but never into finalized blocks.
void enable_deep_reorgs(Settings& settings) {
    settings.lane.finality = lane::FinalityRule::depth;
    settings.lane.confirmations_required = 1;
    settings.faults.reorg = 15s;
    settings.faults.deepest_reorg = settings.network.ledger.finalized_lag - 1;
}

void use_exclusive_keys(Settings& settings) {
    settings.connector.reset();
    settings.lane.mode = lane::NonceMode::strict;
    settings.faults.other_system = {};
    settings.workload.refused_percent = 0;
    if (settings.mutant == Mutant::external_use_ignored) settings.faults.external_use = 20s;
    if (settings.mutant == Mutant::database_clock_trusted) {
        settings.faults.clock_jump = {};
        settings.faults.database_clock_step = 20s;
    }
    if (settings.mutant == Mutant::gap_filler_for_settled_tx) enable_deep_reorgs(settings);
    if (settings.mutant != Mutant::lanes_never_released && settings.mutant != Mutant::lanes_handed_over_repeatedly)
        return;
    settings.nodes = std::max<std::size_t>(settings.nodes, 2);
    settings.skews.resize(settings.nodes);
    if (settings.mutant == Mutant::lanes_handed_over_repeatedly)
        return settings.plan_common_outage(CommonOutage::signer);
    settings.faults.permanent_fault = PermanentFault::chain;
}

// A gap forms when we recycle a nonce, the other system takes it, we allocate past it, and its transaction is lost.
void create_nonce_gaps(Settings& settings) {
    settings.faults.other_system = 3s;
    settings.workload.refused_percent = 40;
    settings.lane.window.ceiling = std::max<std::uint32_t>(settings.lane.window.ceiling, 4);
}

void use_shared_keys(Settings& settings) {
    settings.connector.reset();
    if (settings.lane.mode != lane::NonceMode::relaxed) {
        settings.lane.relaxed.nonce_state_timeout = 5s;
        settings.lane.relaxed.reserved_timeout = 20s;
        settings.lane.relaxed.gap_fill_delay = 10s;
    }
    const auto between_sends = settings.faults.other_system;
    settings.share_keys(between_sends == Duration{} ? 15s : between_sends);
    if (settings.workload.refused_percent == 0) settings.workload.refused_percent = 10;
    settings.faults.one_endpoint_throttled = false;  // an endpoint that does not answer does not refuse either
    if (settings.mutant == Mutant::shared_nonce_gap_left_open) create_nonce_gaps(settings);
}

// With few connector abilities a lost transaction has to be searched for.
void use_connector_keys(Settings& settings) {
    use_exclusive_keys(settings);
    settings.connector = {.abilities = {.hash_recomputation = false, .query_by_nonce = false},
                          .faults = {.requests_lost = 200, .answers_lost = 200, .unacknowledged_sends = 50}};
    settings.lane.grey_zone.interval = 5s;
    settings.lane.grey_zone.timeout = 60s;
    if (settings.mutant == Mutant::connector_found_tx_not_compared) settings.faults.external_use = 10s;
}

}  // namespace

// Database mutants have the same names in both enums.
void Settings::enable_mutant(Mutant rule) {
    mutant = rule;
    if (rule == Mutant::none) return;
    database.mutant = value_of<DatabaseMutant>(name_of(rule)).value_or(DatabaseMutant::none);
    switch (keys_of(rule)) {
        case Keys::exclusive:
            return use_exclusive_keys(*this);
        case Keys::shared:
            return use_shared_keys(*this);
        case Keys::connector_held:
            return use_connector_keys(*this);
    }
}

}  // namespace fencepost::sim
