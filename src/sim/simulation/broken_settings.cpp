// Settings for a run that breaks a rule on purpose (a mutant): the kind of keys that the rule concerns, and the faults
// that expose the breach. The seed decides everything else.
#include <algorithm>

#include "sim/simulation/settings.hpp"

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

// Deeper than the required confirmations, but never into finalized blocks.
void reorganise_deeply(Settings& settings) {
    settings.lane.finality = lane::FinalityRule::depth;
    settings.lane.confirmations_required = 1;
    settings.faults.reorg = 15s;
    settings.faults.deepest_reorg = settings.network.ledger.finalized_lag - 1;
}

void own_keys(Settings& settings) {
    settings.connector.reset();
    settings.lane.mode = lane::NonceMode::strict;
    settings.faults.other_system = {};
    settings.workload.hopeless_percent = 0;
    if (settings.mutant == Mutant::outside_use_ignored) settings.faults.outside_use = 20s;
    if (settings.mutant == Mutant::database_clock_believed) {
        settings.faults.clock_jump = {};
        settings.faults.database_clock_step = 20s;
    }
    if (settings.mutant == Mutant::filler_for_a_settled_one) reorganise_deeply(settings);
    if (settings.mutant != Mutant::lanes_never_given_up && settings.mutant != Mutant::lanes_handed_about) return;
    settings.nodes = std::max<std::size_t>(settings.nodes, 2);
    settings.skews.resize(settings.nodes);
    if (settings.mutant == Mutant::lanes_handed_about) return settings.plan_common_outage(CommonOutage::signer);
    settings.faults.lasting = LastingFault::chain;
}

// A gap forms when we recycle a nonce, the other system takes it, we allocate past it, and its transaction is lost.
void dig_holes(Settings& settings) {
    settings.faults.other_system = 3s;
    settings.workload.hopeless_percent = 40;
    settings.lane.window.ceiling = std::max<std::uint32_t>(settings.lane.window.ceiling, 4);
}

void use_shared_keys(Settings& settings) {
    settings.connector.reset();
    if (settings.lane.mode != lane::NonceMode::relaxed) {
        settings.lane.relaxed.nonce_state_timeout = 5s;
        settings.lane.relaxed.reserved_timeout = 20s;
        settings.lane.relaxed.hole_patience = 10s;
    }
    const auto between_sends = settings.faults.other_system;
    settings.share_keys(between_sends == Duration{} ? 15s : between_sends);
    if (settings.workload.hopeless_percent == 0) settings.workload.hopeless_percent = 10;
    settings.faults.one_answer_in_ten = false;  // an endpoint that does not answer does not refuse either
    if (settings.mutant == Mutant::shared_hole_left_open) dig_holes(settings);
}

// With few connector abilities a lost transaction has to be searched for.
void give_keys_away(Settings& settings) {
    own_keys(settings);
    settings.connector = {.abilities = {.hash_recomputation = false, .query_by_nonce = false},
                          .faults = {.requests_lost = 200, .answers_lost = 200, .silent_takings = 50}};
    settings.lane.grey_zone.interval = 5s;
    settings.lane.grey_zone.timeout = 60s;
    if (settings.mutant == Mutant::connector_sight_not_compared) settings.faults.outside_use = 10s;
}

}  // namespace

// Database mutants have the same names in both enums.
void Settings::break_with(Mutant rule) {
    mutant = rule;
    if (rule == Mutant::none) return;
    database.mutant = value_of<DatabaseMutant>(name_of(rule)).value_or(DatabaseMutant::none);
    switch (keys_of(rule)) {
        case Keys::ours:
            return own_keys(*this);
        case Keys::shared:
            return use_shared_keys(*this);
        case Keys::a_connectors:
            return give_keys_away(*this);
    }
}

}  // namespace fencepost::sim
