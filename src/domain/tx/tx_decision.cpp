#include "domain/tx/tx_decision.hpp"

#include <algorithm>

namespace fencepost {
namespace {

/// Builds one decision: actions that are due now are added to it, later ones set the next wake-up.
class DecisionBuilder {
public:
    DecisionBuilder(const Transaction& tx, const TxFacts& facts, const TxContext& around, const TxRules& rules,
                    Instant now)
        : tx_(tx),
          facts_(facts),
          around_(around),
          rules_(rules),
          now_(now) {}

    TxDecision decide() {
        const bool is_free = around_.activity == Activity::idle && !around_.send_queued;
        // A running activity reports its end, and then the decision is made again.
        if (is_free && !around_.replacement_wanted) {
            if (is_pending(tx_)) mark();
            if (is_pending(tx_) || may_be_mined_again()) replace();
        }
        decision_.ask_policy = is_pending(tx_) && tx_.position.state == State::stuck && !facts_.stuck_decision &&
                               !around_.replacement_wanted;
        if (!around_.verified) put_off_irreversible();
        // A resend would end STUCK before the policy is asked.
        if (is_free && decision_.mark != Mark::stuck && may_resend()) resend();
        return decision_;
    }

private:
    using Mark = TxDecision::Mark;
    using Replacement = TxDecision::Replacement;

    // Settled, and removed by a reorg: a bump may get it mined again. It is never marked, timed out or abandoned,
    // because it has its verdict, and its position stays until it is mined (failure 46).
    [[nodiscard]] bool may_be_mined_again() const { return is_removed(tx_) && !around_.nonce_used_externally; }

    // The first that applies: two marks at once would be two transitions.
    void mark() {
        if (facts_.fee_capped && says_nothing_urgent() && tx_.may(Trigger::fee_capped)) {
            decision_.mark = Mark::fee_capped;
            return;
        }
        if (time_out() || decision_.replacement != Replacement::none) return;
        become_stuck();
    }

    // Resends are not included: the same bytes can only be mined once.
    void put_off_irreversible() {
        const bool marks = decision_.mark == Mark::timed_out || decision_.mark == Mark::stuck;
        const bool replaces = decision_.replacement != Replacement::none || decision_.waits_for_gap;
        decision_.verify = marks || replaces || decision_.ask_policy;
        if (marks) decision_.mark = Mark::none;
        decision_.replacement = Replacement::none;
        decision_.waits_for_gap = false;
        decision_.ask_policy = false;
    }

    bool time_out() {
        if (!facts_.first_sent || is_abandoned(tx_)) return false;
        const bool may_mark = says_nothing_urgent() && tx_.may(Trigger::time_out);
        if (!rules_.fail_on_timeout && !may_mark) return false;
        if (!is_due(*facts_.first_sent + rules_.transaction_timeout)) return false;
        if (rules_.fail_on_timeout) {
            decision_.replacement = Replacement::fill_timed_out;
            return false;
        }
        decision_.mark = Mark::timed_out;
        return true;
    }

    void become_stuck() {
        if (is_in_doubt(tx_) || is_abandoned(tx_) || has_open_decision() || !tx_.may(Trigger::give_up)) return;
        if (facts_.tries > rules_.resubmit.max_attempts || is_due(facts_.stuck_due)) decision_.mark = Mark::stuck;
    }

    // The first that applies; a gap filler before a bump.
    void replace() {
        if (decision_.replacement == Replacement::none) carry_out_verdicts();
        if (decision_.replacement == Replacement::none) bump();
    }

    // The policy decided on another attempt that is not recorded yet.
    [[nodiscard]] bool has_open_decision() const {
        return facts_.stuck_decision == StuckDecision::filler || facts_.stuck_decision == StuckDecision::bump;
    }

    // Retry limits of endpoints and stuck policy: also when it was resent meanwhile, and is not STUCK any more.
    void carry_out_verdicts() {
        if (is_abandoned(tx_) || !is_pending(tx_) || is_in_doubt(tx_)) return;
        if (facts_.refusal_rounds >= rules_.refusal_rounds) {
            decision_.replacement = Replacement::fill_refused;
        } else if (facts_.stuck_decision == StuckDecision::filler) {
            decision_.replacement = Replacement::fill_as_decided;
        } else if (facts_.stuck_decision == StuckDecision::bump) {
            decision_.replacement = Replacement::bump_as_decided;
        }
    }

    // A gap filler is bumped even if bumping is disabled for intents: its nonce must be consumed, and it has its own
    // cap.
    [[nodiscard]] bool may_bump() const {
        if (is_in_doubt(tx_) || facts_.fee_capped || is_underfunded(tx_) || facts_.with_operator) return false;
        if (needs_gap_filler(tx_)) return true;
        return rules_.bump.enabled && bumps() < rules_.bump.max_attempts;
    }

    void bump() {
        if (!may_bump() || !is_due(facts_.bump_due)) return;
        if (around_.behind_gap) {
            decision_.waits_for_gap = true;
        } else {
            decision_.replacement = Replacement::bump;
        }
    }

    [[nodiscard]] bool may_resend() const {
        if (!is_in_flight(tx_) || around_.send_uncertain || around_.nonce_used_externally) return false;
        if (is_settled(tx_)) return true;
        if (tx_.position.state == State::stuck && (!facts_.stuck_decision || facts_.with_operator)) return false;
        if (!tx_.may(Trigger::resubmit)) return false;
        // A transaction that no endpoint is known to hold is not a "resend".
        return rules_.resubmit.enabled || facts_.missing || tx_.position.state == State::allocated || is_forked(tx_) ||
               is_abandoned(tx_);
    }

    void resend() {
        if (!is_due(facts_.resend_due)) return;
        if (around_.behind_gap) {
            decision_.waits_for_gap = true;
        } else {
            decision_.resend = true;
        }
    }

    bool is_due(Instant at) {
        if (at <= now_) return true;
        decision_.wake_at = std::min(decision_.wake_at, at);
        return false;
    }

    // Only then may a mark replace the sub-state.
    [[nodiscard]] bool says_nothing_urgent() const {
        return tx_.position.sub == SubState::none || tx_.position.sub == SubState::stale;
    }

    [[nodiscard]] std::uint32_t bumps() const {
        return static_cast<std::uint32_t>(std::ranges::count(tx_.attempts, AttemptKind::bump, &Attempt::kind));
    }

    const Transaction& tx_;
    const TxFacts& facts_;
    const TxContext& around_;
    const TxRules& rules_;
    Instant now_;
    TxDecision decision_{};
};

}  // namespace

TxDecision decide(const Transaction& tx, const TxFacts& facts, const TxContext& around, const TxRules& rules,
                  Instant now) {
    return DecisionBuilder(tx, facts, around, rules, now).decide();
}

}  // namespace fencepost
