#include "domain/tx/transition_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace fencepost {
namespace {

using enum SubState;

using SubStates = std::vector<SubState>;

// Sub-states in which the nonce is unconsumed and the intent, not a gap filler, should be mined. After a cancel only
// the gap filler is resent or bumped, and the sub-state stays CANCELLING.
SubStates intent_sub_states(State state) {
    SubStates subs{none, stale, timeout, fee_capped, underfunded};
    if (state == State::tracking) subs.push_back(forked);  // only a transaction with a receipt can lose it
    return subs;
}

// The same for intent or gap filler; none of our attempts is in a block.
SubStates unmined_sub_states(State state) {
    auto subs = intent_sub_states(state);
    subs.push_back(cancelling);
    return subs;
}

class Table {
public:
    Table() {
        without_a_nonce();
        waiting_to_be_mined();
        grey_zone();
        stuck_or_taken();
        mined_and_final();
    }
    [[nodiscard]] std::span<const Move> moves() const { return moves_; }

private:
    void add(State from, const SubStates& subs, Trigger trigger, Position to) {
        for (const auto sub : subs)
            moves_.push_back({{from, sub}, trigger, to});
    }

    void without_a_nonce() {
        add(State::queued, {none}, Trigger::allocate, {State::allocated, none});
        add(State::queued, {none}, Trigger::reject, {State::rejected, none});
        add(State::queued, {none}, Trigger::cancel, {State::cancelled, none});
        add(State::queued, {none}, Trigger::time_out, {State::cancelled, timeout});
    }

    void waiting_to_be_mined() {
        for (const auto state : {State::allocated, State::tracking}) {
            const auto wanted = intent_sub_states(state);
            const auto waiting = unmined_sub_states(state);
            add(state, wanted, Trigger::send_accepted, {State::tracking, none});
            add(state, {cancelling}, Trigger::send_accepted, {State::tracking, cancelling});
            add(state, wanted, Trigger::resubmit, {state, stale});
            add(state, {cancelling}, Trigger::resubmit, {state, cancelling});
            add(state, wanted, Trigger::time_out, {state, timeout});
            add(state, wanted, Trigger::abandon, {state, cancelling});
            add(state, waiting, Trigger::underfunded, {state, underfunded});
            add(state, waiting, Trigger::fee_capped, {state, fee_capped});
            add(state, waiting, Trigger::nonce_taken, {State::stuck, nonce_taken});
            add(state, waiting, Trigger::give_up, {State::stuck, none});
            add(state, waiting, Trigger::receipt_found, {State::tracking, mined});
        }
        // Only if no bytes can exist outside: relaxed mode, refused permanently before any endpoint accepted it.
        add(State::allocated, intent_sub_states(State::allocated), Trigger::recycle, {State::failed_final, none});
    }

    void grey_zone() {
        constexpr auto grey = State::unknown_submit_result;
        // Usually newly allocated; also one that was refused until STUCK, or whose nonce a reorg freed.
        for (const auto state : {State::allocated, State::tracking}) {
            add(state, intent_sub_states(state), Trigger::submit_unknown, {grey, none});
            add(state, {cancelling}, Trigger::submit_unknown, {grey, cancelling});
        }
        add(State::stuck, {none, timeout, nonce_taken}, Trigger::submit_unknown, {grey, none});
        add(grey, {none}, Trigger::submission_found, {State::tracking, none});
        add(grey, {cancelling}, Trigger::submission_found, {State::tracking, cancelling});
        add(grey, {none, cancelling}, Trigger::receipt_found, {State::tracking, mined});
        // A finalized external transaction ends it; until then a reorg may still free the nonce for ours.
        add(grey, {none, cancelling}, Trigger::external_tx_final, {State::failed_final, nonce_taken});
        add(grey, {none, cancelling}, Trigger::nonce_taken, {State::stuck, nonce_taken});
        add(grey, {none}, Trigger::abandon, {grey, cancelling});
        add(grey, {none}, Trigger::send_accepted, {State::tracking, none});
        add(grey, {cancelling}, Trigger::send_accepted, {State::tracking, cancelling});
        add(grey, {none}, Trigger::recycle, {State::failed_final, timeout});
        add(grey, {none, cancelling}, Trigger::give_up, {State::stuck, timeout});
    }

    void stuck_or_taken() {
        add(State::stuck, {none, timeout}, Trigger::resubmit, {State::tracking, stale});
        add(State::stuck, {none, timeout}, Trigger::send_accepted, {State::tracking, none});
        add(State::stuck, {none, timeout}, Trigger::time_out, {State::stuck, timeout});
        add(State::stuck, {none, timeout}, Trigger::abandon, {State::tracking, cancelling});
        add(State::stuck, {none, timeout}, Trigger::nonce_taken, {State::stuck, nonce_taken});
        add(State::stuck, {none, timeout, nonce_taken}, Trigger::receipt_found, {State::tracking, mined});
        // The nonce is consumed by a block that a reorg may remove: no verdict and no second attempt before finality.
        add(State::stuck, {nonce_taken}, Trigger::external_tx_removed, {State::tracking, forked});
        add(State::stuck, {nonce_taken}, Trigger::external_tx_final, {State::failed_final, nonce_taken});
    }

    void mined_and_final() {
        add(State::tracking, {mined}, Trigger::receipt_rolled_back, {State::tracking, forked});
        // Another attempt's receipt, or the same one in another block: still MINED.
        add(State::tracking, {mined}, Trigger::receipt_found, {State::tracking, mined});
        // A verdict on an allocated nonce needs a receipt (law 5).
        add(State::tracking, {mined}, Trigger::final_success, {State::confirmed, none});
        add(State::tracking, {mined}, Trigger::final_revert, {State::failed_final, none});
        add(State::tracking, {mined}, Trigger::final_filler_cancelled, {State::cancelled, none});
        add(State::tracking, {mined}, Trigger::final_filler_timed_out, {State::failed_final, timeout});
        add(State::tracking, {mined}, Trigger::final_filler_refused, {State::failed_final, none});
        // A verdict never changes. A reorg beyond the required depth sets a flag, which is cleared when the transaction
        // is mined again.
        add(State::confirmed, {none}, Trigger::removed_after_final, {State::confirmed, forked});
        add(State::cancelled, {none}, Trigger::removed_after_final, {State::cancelled, forked});
        add(State::failed_final, {none, timeout, nonce_taken}, Trigger::removed_after_final,
            {State::failed_final, forked});
        for (const auto state : {State::confirmed, State::failed_final, State::cancelled}) {
            add(state, {forked}, Trigger::receipt_found, {state, none});
        }
    }

    std::vector<Move> moves_;
};

}  // namespace

std::span<const Move> allowed_moves() {
    static const Table table;
    return table.moves();
}

std::string IllegalMove::what() const { return fmt::format("{} is not allowed in {}", trigger, from); }

namespace {

// Looked up several times per transaction, therefore indexed.
class Lookup {
public:
    Lookup() {
        for (const auto& [from, trigger, to] : allowed_moves()) {
            auto& slot = moves_.at(index(from)).at(static_cast<std::size_t>(trigger));
            if (!slot) slot = to;
            reachable_.at(index(from)).at(index(to)) = true;
        }
    }
    [[nodiscard]] std::optional<Position> to(Position from, Trigger trigger) const {
        return moves_[index(from)][static_cast<std::size_t>(trigger)];
    }
    [[nodiscard]] bool leads(Position from, Position to) const { return reachable_[index(from)][index(to)]; }

private:
    static constexpr std::size_t subs = enum_names<SubState>.size();
    static constexpr std::size_t positions = enum_names<State>.size() * subs;
    static std::size_t index(Position position) {
        return (static_cast<std::size_t>(position.state) * subs) + static_cast<std::size_t>(position.sub);
    }

    std::array<std::array<std::optional<Position>, enum_names<Trigger>.size()>, positions> moves_{};
    std::array<std::array<bool, positions>, positions> reachable_{};
};

const Lookup& lookup() {
    static const Lookup built;
    return built;
}

}  // namespace

Result<Position, IllegalMove> move(Position from, Trigger trigger) {
    const auto to = lookup().to(from, trigger);
    if (!to) return err(IllegalMove{from, trigger});
    return *to;
}

bool is_allowed_move(Position from, Position to) { return lookup().leads(from, to); }

std::string to_mermaid() {
    // By state only, without sub-states, to keep the diagram readable. Triggers of one arrow share a line.
    std::map<std::pair<State, State>, std::vector<Trigger>> arrows;
    for (const auto& [from, trigger, to] : allowed_moves()) {
        auto& triggers = arrows[{from.state, to.state}];
        if (from.state != to.state && std::ranges::find(triggers, trigger) == triggers.end()) {
            triggers.push_back(trigger);
        }
    }

    std::string text = "stateDiagram-v2\n    [*] --> QUEUED: accept\n";
    for (const auto& [arrow, triggers] : arrows) {
        if (triggers.empty()) continue;
        text += fmt::format("    {} --> {}: {}\n", arrow.first, arrow.second, fmt::join(triggers, ", "));
    }
    for (const auto& [state, name] : enum_names<State>) {
        if (is_final(state)) text += fmt::format("    {} --> [*]\n", name);
    }
    return text;
}

}  // namespace fencepost
