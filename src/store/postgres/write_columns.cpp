#include "store/postgres/write_columns.hpp"

#include "base/assert.hpp"
#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/postgres/write_statements.hpp"
#include "store/text_check.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;

std::int64_t number(std::uint64_t value) {
    FP_ASSERT(value <= static_cast<std::uint64_t>(INT64_MAX), "{} does not fit a bigint", value);
    return static_cast<std::int64_t>(value);
}

template <typename T, typename Source, typename Convert>
std::optional<T> maybe(const std::optional<Source>& source, Convert convert) {
    if (!source) return std::nullopt;
    return T(convert(*source));
}

enum ReceiptAction : std::int64_t { keep = 0, set = 1, clear = 2 };

}  // namespace

void Expectations::add(const LaneWrite& write) {
    for (const auto& update : write.transactions) {
        ids_.emplace_back(update.tx.value());
        submitters_.emplace_back(write.submitter.to_string());
        states_.emplace_back(name_of(update.expected.state));
        sub_states_.emplace_back(name_of(update.expected.sub));
        unassigned_.emplace_back(update.nonce.has_value());
    }
    if (write.cursor) cursor_submitters_.emplace_back(write.submitter.to_string());
    for (const auto& command : write.commands_done) {
        commands_.emplace_back(number(command.value()));
        command_submitters_.emplace_back(write.submitter.to_string());
    }
}

Query Expectations::positions() const {
    return {&statement::unexpected_positions,
            Params().add(ids_).add(submitters_).add(states_).add(sub_states_).add(unassigned_)};
}

Query Expectations::cursors() const { return {&statement::read_cursors, Params().add(cursor_submitters_)}; }

Query Expectations::commands() const {
    return {&statement::unexpected_commands, Params().add(commands_).add(command_submitters_)};
}

void WriteColumns::add(const LaneWrite& write, bool renew_lease) {
    const auto& name = write.submitter.to_string();
    const auto token = number(write.fence.token.value());
    for (const auto& update : write.transactions) {
        add(update, write);
        if (update.nonce) {
            assigned_submitters_.emplace_back(name);
            assigned_nonces_.emplace_back(number(update.nonce->value()));
            assigned_ids_.emplace_back(update.tx.value());
        }
    }
    if (write.cursor) {
        cursor_submitters_.emplace_back(name);
        cursor_next_.emplace_back(number(write.cursor->next.value()));
        cursor_first_watched_.emplace_back(number(first_watched(write).value()));
        cursor_tokens_.emplace_back(token);
    }
    if (write.watch_from) {
        watch_submitters_.emplace_back(name);
        watch_from_.emplace_back(number(write.watch_from->value()));
        watch_tokens_.emplace_back(token);
    }
    if (write.status) {
        status_submitters_.emplace_back(name);
        statuses_.emplace_back(name_of(write.status->status));
        status_reasons_.emplace_back(storable(write.status->reason));
        status_tokens_.emplace_back(token);
    }
    for (const auto& command : write.commands_done) {
        commands_.emplace_back(number(command.value()));
        command_tokens_.emplace_back(token);
    }
    if (renew_lease) renewed_.emplace_back(name);
}

void WriteColumns::add(const TxUpdate& update, const LaneWrite& write) {
    assert_lawful(update);
    const auto token = number(write.fence.token.value());
    tx_.ids.emplace_back(update.tx.value());
    tx_.states.emplace_back(name_of(update.to.state));
    tx_.sub_states.emplace_back(name_of(update.to.sub));
    tx_.abandonments.push_back(maybe<std::string>(update.abandonment, [](Abandonment a) { return name_of(a); }));
    tx_.nonces.push_back(maybe<std::int64_t>(update.nonce, [](Nonce n) { return number(n.value()); }));
    tx_.done.emplace_back(is_final(update.to.state));
    tx_.confirmed.emplace_back(update.to.state == State::confirmed && update.expected.state != State::confirmed);
    tx_.sends.emplace_back(update.sends);
    tx_.next_in.push_back(maybe<std::int64_t>(update.next_action_in, [](Duration d) {
        return std::chrono::duration_cast<std::chrono::microseconds>(d).count();
    }));
    tx_.receipt_missing.emplace_back(update.receipt_missing);
    tx_.errors.push_back(maybe<std::string>(update.error, [](const std::string& e) { return storable(e); }));
    tx_.confirmations.push_back(
        maybe<std::string>(update.confirmations, [](const auto& blocks) { return encode(blocks); }));
    tx_.events.emplace_back(number(update.events.size()));
    tx_.tokens.emplace_back(token);
    add_receipt(update);
    add_attempts(update, token);
    add_told(update, write);
}

void WriteColumns::add_receipt(const TxUpdate& update) {
    const auto* receipt = std::get_if<Receipt>(&update.receipt);
    const bool cleared = std::holds_alternative<RollBackReceipt>(update.receipt);
    tx_.receipt_actions.emplace_back(receipt != nullptr ? set : cleared ? clear : keep);
    tx_.receipts.push_back(receipt != nullptr ? std::optional(encode(*receipt)) : std::nullopt);
    tx_.receipt_numbers.push_back(receipt != nullptr ? std::optional(number(receipt->block_number.value()))
                                                     : std::nullopt);
    tx_.receipt_hashes.push_back(receipt != nullptr ? std::optional(to_bytes(receipt->block_hash.view()))
                                                    : std::nullopt);
    // The hash shown is that of the mined attempt, else of the latest.
    if (receipt != nullptr) {
        tx_.hashes.emplace_back(to_bytes(receipt->hash.view()));
    } else if (!update.attempts.empty()) {
        tx_.hashes.emplace_back(to_bytes(update.attempts.back().hash.view()));
    } else {
        tx_.hashes.emplace_back(std::nullopt);
    }
}

void WriteColumns::add_attempts(const TxUpdate& update, std::int64_t token) {
    for (std::size_t i = 0; i < update.attempts.size(); ++i) {
        const auto& attempt = update.attempts[i];
        attempts_.ids.emplace_back(update.tx.value());
        attempts_.offsets.emplace_back(number(i));
        attempts_.kinds.emplace_back(name_of(attempt.kind));
        attempts_.nonces.emplace_back(number(attempt.nonce.value()));
        attempts_.hashes.emplace_back(to_bytes(attempt.hash.view()));
        attempts_.raws.emplace_back(attempt.raw);
        attempts_.gas_params.emplace_back(encode(GasParams{attempt.fees, attempt.gas_limit}));
        attempts_.tokens.emplace_back(token);
    }
}

void WriteColumns::add_told(const TxUpdate& update, const LaneWrite& write) {
    const auto put = [&](Told& told, std::int64_t offset, std::string_view kind, std::string body) {
        told.ids.emplace_back(update.tx.value());
        told.offsets.emplace_back(offset);
        told.kinds.emplace_back(kind);
        told.bodies.emplace_back(std::move(body));
        told.nodes.emplace_back(write.fence.node.value());
        told.tokens.emplace_back(number(write.fence.token.value()));
        told.times.emplace_back(1);
    };
    for (std::size_t i = 0; i < update.events.size(); ++i) {
        put(events_, number(i), name_of(update.events[i]), encode(update.events[i]));
    }
    const HistoryStep* last = nullptr;
    Told* last_told = nullptr;
    for (const auto& step : update.history) {
        if (last != nullptr && step == *last) {
            last_told->times.back() = *last_told->times.back() + 1;
            continue;
        }
        last_told = last == nullptr && update.events.empty() ? &foldable_ : &steps_;
        put(*last_told, 0, name_of(step.kind), encode_detail(step.detail));
        last = &step;
    }
}

std::vector<Query> WriteColumns::queries() const {
    std::vector<Query> queries;
    const auto when = [&queries](bool wanted, const pg::Statement& statement, const auto&... columns) {
        if (!wanted) return;
        Params params;
        (params.add(columns), ...);
        queries.push_back({&statement, std::move(params)});
    };
    // Events before the rows they are numbered by; the fold before the steps that would hide the row it continues.
    when(!events_.ids.empty(), statement::insert_events, events_.ids, events_.offsets, events_.kinds, events_.bodies,
         events_.nodes, events_.tokens);
    when(!foldable_.ids.empty(), statement::fold_steps, foldable_.ids, foldable_.kinds, foldable_.bodies,
         foldable_.nodes, foldable_.tokens, foldable_.times);
    when(!steps_.ids.empty(), statement::insert_steps, steps_.ids, steps_.kinds, steps_.bodies, steps_.nodes,
         steps_.tokens, steps_.times);
    when(!attempts_.ids.empty(), statement::insert_attempts, attempts_.ids, attempts_.offsets, attempts_.kinds,
         attempts_.nonces, attempts_.hashes, attempts_.raws, attempts_.gas_params, attempts_.tokens);
    when(!assigned_ids_.empty(), statement::assign_nonces, assigned_submitters_, assigned_nonces_, assigned_ids_);
    when(!tx_.ids.empty(), statement::update_transactions, tx_.ids, tx_.states, tx_.sub_states, tx_.abandonments,
         tx_.nonces, tx_.hashes, tx_.done, tx_.confirmed, tx_.sends, tx_.next_in, tx_.receipt_missing, tx_.errors,
         tx_.receipt_actions, tx_.receipts, tx_.receipt_numbers, tx_.receipt_hashes, tx_.confirmations, tx_.events,
         tx_.tokens);
    when(!cursor_submitters_.empty(), statement::move_cursors, cursor_submitters_, cursor_next_, cursor_first_watched_,
         cursor_tokens_);
    when(!watch_submitters_.empty(), statement::move_watch, watch_submitters_, watch_from_, watch_tokens_);
    when(!status_submitters_.empty(), statement::set_statuses, status_submitters_, statuses_, status_reasons_,
         status_tokens_);
    when(!commands_.empty(), statement::finish_commands, commands_, command_tokens_);
    when(!renewed_.empty(), statement::renew_written, renewed_);
    return queries;
}

}  // namespace fencepost::store
