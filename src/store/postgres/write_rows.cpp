#include "store/postgres/write_columns.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/assert.hpp"
#include "domain/tx/requeue.hpp"
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

// Nothing stands for the usual.
template <typename T>
std::optional<T> unless(T usual, T value) {
    return value == usual ? std::nullopt : std::optional(value);
}

std::optional<std::string> unless_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

// unnest() fills what is missing of the shorter arrays with nulls, so a column of nothing else need not be sent.
template <typename T>
const Column<T>& or_nothing(const Column<T>& column) {
    static const Column<T> nothing;
    return std::ranges::any_of(column, [](const auto& value) { return value.has_value(); }) ? column : nothing;
}

enum ReceiptAction : std::int64_t { set = 1, clear = 2 };

}  // namespace

void NonceMarkColumns::add(const LaneWrite& write) {
    for (const auto& mark : write.nonce_marks) {
        submitters.emplace_back(write.submitter.to_string());
        nonces.emplace_back(number(mark.nonce.value()));
        statuses.emplace_back(name_of(mark.status));
        hashes.push_back(maybe<Bytes>(mark.hash, [](const TxHash& hash) { return to_bytes(hash.view()); }));
        reasons.emplace_back(storable(mark.reason));
        tokens.emplace_back(number(write.fence.token.value()));
    }
}

void Expectations::add(const LaneWrite& write) {
    marks_.add(write);
    if (write.cursor) cursor_submitters_.emplace_back(write.submitter.to_string());
    for (const auto& command : write.commands_done) {
        commands_.emplace_back(number(command.value()));
        command_submitters_.emplace_back(write.submitter.to_string());
    }
}

Query Expectations::cursors() const { return {&statement::read_cursors, Params().add(cursor_submitters_)}; }

Query Expectations::commands() const {
    return {&statement::unexpected_commands, Params().add(commands_).add(command_submitters_)};
}

Query Expectations::allocations() const {
    return {&statement::unexpected_allocations, Params()
                                                    .add(marks_.submitters)
                                                    .add(marks_.nonces)
                                                    .add(marks_.statuses)
                                                    .add(marks_.hashes)
                                                    .add(lane_owner.value())};
}

const std::string& SharedConfirmations::encoded(const std::vector<BlockRef>& blocks) {
    if (blocks_ != blocks) {
        blocks_text_ = encode(blocks);
        blocks_ = blocks;
    }
    return blocks_text_;
}

const std::string& SharedConfirmations::encoded(const TxConfirmed& event) {
    if (!event_ || event_->confirmations != event.confirmations || event_->new_fork != event.new_fork) {
        event_text_ = encode(TxEventBody(event));
        event_ = event;
    }
    return event_text_;
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
        if (moves_settled(update)) {
            settled_ids_.emplace_back(update.tx.value());
            settled_tokens_.emplace_back(token);
        }
    }
    for (const auto& [verdict, count] : verdicts_in(write)) {
        verdict_submitters_.emplace_back(name);
        verdicts_.emplace_back(name_of(verdict));
        verdict_counts_.emplace_back(number(count));
        verdict_tokens_.emplace_back(token);
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
    if (write.window) {
        window_submitters_.emplace_back(name);
        window_sizes_.emplace_back(number(write.window->size));
        window_limits_.emplace_back(name_of(write.window->limit));
        window_tokens_.emplace_back(token);
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
    marks_.add(write);
    if (renew_lease) renewed_.emplace_back(name);
}

void WriteColumns::add(const TxUpdate& update, const LaneWrite& write) {
    assert_lawful(update);
    const auto token = number(write.fence.token.value());
    tx_.ids.emplace_back(update.tx.value());
    tx_.submitters.emplace_back(write.submitter.to_string());
    tx_.expected_states.emplace_back(name_of(update.expected.state));
    tx_.expected_sub_states.push_back(unless_empty(name_of(update.expected.sub)));
    tx_.states.emplace_back(name_of(update.to.state));
    tx_.sub_states.push_back(unless_empty(name_of(update.to.sub)));
    tx_.abandonments.push_back(maybe<std::string>(update.abandonment, [](Abandonment a) { return name_of(a); }));
    tx_.nonces.push_back(maybe<std::int64_t>(update.nonce, [](Nonce n) { return number(n.value()); }));
    tx_.done.push_back(unless(false, is_final(update.to.state)));
    const bool now_confirmed = update.to.state == State::confirmed && update.expected.state != State::confirmed;
    tx_.confirmed.push_back(unless(false, now_confirmed));
    tx_.sends.push_back(unless<std::int64_t>(0, update.sends));
    tx_.next_in.push_back(maybe<std::int64_t>(update.next_action_in, [](Duration d) {
        return std::chrono::duration_cast<std::chrono::microseconds>(d).count();
    }));
    tx_.receipt_missing.push_back(unless(false, update.receipt_missing));
    tx_.errors.push_back(maybe<std::string>(update.error, [](const std::string& e) { return storable(e); }));
    tx_.confirmations.push_back(maybe<std::string>(
        update.confirmations, [this](const auto& blocks) { return confirmations_.encoded(blocks); }));
    tx_.events.push_back(unless<std::int64_t>(0, number(update.events.size())));
    tx_.tokens.emplace_back(token);
    tx_.progress.push_back(maybe<std::string>(update.progress, [](const TxProgress& p) { return encode(p); }));
    add_receipt(update);
    add_attempts(update, token);
    add_claims(update, token);
    add_told(update, write);
    add_requeued(update, write);
}

void WriteColumns::add_receipt(const TxUpdate& update) {
    const auto* receipt = std::get_if<Receipt>(&update.receipt);
    const bool cleared = std::holds_alternative<RollBackReceipt>(update.receipt);
    tx_.receipt_actions.emplace_back();
    if (receipt != nullptr) tx_.receipt_actions.back() = set;
    if (cleared) tx_.receipt_actions.back() = clear;
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
        attempts_.first.emplace_back(update.nonce.has_value());
    }
}

void WriteColumns::tell(Told& told, const TxId& tx, Told::Place place, const Fence& fence, std::string_view kind,
                        std::string body) {
    told.places.push_back(place);
    told.ids.emplace_back(tx.value());
    told.kinds.emplace_back(kind);
    told.bodies.emplace_back(std::move(body));
    told.nodes.emplace_back(fence.node.value());
    told.tokens.emplace_back(number(fence.token.value()));
    told.times.emplace_back(1);
}

void WriteColumns::add_requeued(const TxUpdate& update, const LaneWrite& write) {
    if (!update.requeue) return;
    const auto id = requeued_id(update.tx);
    requeued_.ids.emplace_back(id.value());
    requeued_.from.emplace_back(update.tx.value());
    requeued_.requests.emplace_back(requeued_request(update.tx).value());
    requeued_.tokens.emplace_back(number(write.fence.token.value()));
    const Told::Place event{.update = tx_.ids.size() - 1, .below = 0, .of_new = 1};
    tell(events_, id, event, write.fence, TxAccepted::name,
         encode(TxEventBody(TxAccepted{write.submitter, update.tx})));
    const Told::Place step{.update = tx_.ids.size() - 1, .below = 0, .of_new = 2};
    tell(steps_, id, step, write.fence, name_of(HistoryKind::requeued), encode_detail(*update.requeue));
}

void WriteColumns::add_claims(const TxUpdate& update, std::int64_t token) {
    for (std::size_t i = 0; i < update.claims.size(); ++i) {
        const auto& claim = update.claims[i];
        claims_.ids.emplace_back(update.tx.value());
        claims_.offsets.emplace_back(number(i));
        claims_.kinds.emplace_back(name_of(claim.kind));
        claims_.nonces.emplace_back(number(claim.nonce.value()));
        claims_.payloads.emplace_back(encode(claim));
        claims_.tokens.emplace_back(token);
    }
}

void WriteColumns::add_told(const TxUpdate& update, const LaneWrite& write) {
    const auto put = [&](Told& told, std::size_t below, std::string_view kind, std::string body) {
        tell(told, update.tx, {.update = tx_.ids.size() - 1, .below = number(below)}, write.fence, kind,
             std::move(body));
    };
    for (std::size_t i = 0; i < update.events.size(); ++i) {
        const auto& event = update.events[i];
        const auto* confirmed = std::get_if<TxConfirmed>(&event);
        put(events_, update.events.size() - i, name_of(event),
            confirmed != nullptr ? confirmations_.encoded(*confirmed) : encode(event));
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

Query WriteColumns::move() const {
    Params params;
    const auto add = [&params](const auto&... columns) { (params.add(or_nothing(columns)), ...); };
    add(tx_.ids, tx_.submitters, tx_.expected_states, tx_.expected_sub_states, tx_.states, tx_.sub_states,
        tx_.abandonments, tx_.nonces, tx_.hashes, tx_.done, tx_.confirmed, tx_.sends, tx_.next_in, tx_.receipt_missing,
        tx_.errors, tx_.receipt_actions, tx_.receipts, tx_.receipt_numbers, tx_.receipt_hashes, tx_.confirmations,
        tx_.events, tx_.tokens, tx_.progress);
    return {&statement::update_transactions, std::move(params)};
}

std::set<std::string> WriteColumns::take(const pg::Rows& moved) {
    std::vector<std::optional<std::int64_t>> next_events(tx_.ids.size());
    for (std::size_t row = 0; row < moved.size(); ++row)
        next_events.at(static_cast<std::size_t>(moved.integer(row, 0)) - 1) = moved.integer(row, 1);
    std::set<std::string> unexpected;
    for (std::size_t i = 0; i < next_events.size(); ++i) {
        if (!next_events[i]) unexpected.insert(*tx_.submitters[i]);
    }
    if (!unexpected.empty()) return unexpected;
    for (auto* told : {&events_, &foldable_, &steps_}) {
        for (const auto& place : told->places)
            told->sequences.emplace_back(place.of_new.value_or(*next_events[place.update] - place.below));
    }
    return unexpected;
}

std::vector<Query> WriteColumns::queries() const {
    std::vector<Query> queries;
    const auto when = [&queries](bool wanted, const pg::Statement& statement, const auto&... columns) {
        if (!wanted) return;
        Params params;
        (params.add(columns), ...);
        queries.push_back({&statement, std::move(params)});
    };
    when(!requeued_.ids.empty(), statement::insert_requeued, requeued_.ids, requeued_.from, requeued_.requests,
         requeued_.tokens);
    when(!requeued_.ids.empty(), statement::insert_requeued_intents, requeued_.ids, requeued_.from);
    when(!events_.ids.empty(), statement::insert_events, events_.ids, events_.sequences, events_.kinds, events_.bodies,
         events_.nodes, events_.tokens);
    // The fold before the steps that would hide the row it continues.
    when(!foldable_.ids.empty(), statement::fold_steps, foldable_.ids, foldable_.sequences, foldable_.kinds,
         foldable_.bodies, foldable_.nodes, foldable_.tokens, foldable_.times);
    when(!steps_.ids.empty(), statement::insert_steps, steps_.ids, steps_.sequences, steps_.kinds, steps_.bodies,
         steps_.nodes, steps_.tokens, steps_.times);
    when(!attempts_.ids.empty(), statement::insert_attempts, attempts_.ids, attempts_.offsets, attempts_.kinds,
         attempts_.nonces, attempts_.hashes, attempts_.raws, attempts_.gas_params, attempts_.tokens, attempts_.first);
    when(!claims_.ids.empty(), statement::insert_claims, claims_.ids, claims_.offsets, claims_.kinds, claims_.nonces,
         claims_.payloads, claims_.tokens);
    when(!marks_.nonces.empty(), statement::leave_ledger, marks_.submitters, marks_.nonces, marks_.statuses);
    when(!assigned_ids_.empty(), statement::assign_nonces, assigned_submitters_, assigned_nonces_, assigned_ids_);
    when(!verdicts_.empty(), statement::count_verdicts, verdict_submitters_, verdicts_, verdict_counts_,
         verdict_tokens_);
    when(!cursor_submitters_.empty(), statement::move_cursors, cursor_submitters_, cursor_next_, cursor_first_watched_,
         cursor_tokens_);
    when(!settled_ids_.empty(), statement::note_settled, settled_ids_, settled_tokens_);
    when(!watch_submitters_.empty(), statement::move_watch, watch_submitters_, watch_from_, watch_tokens_);
    when(!watch_submitters_.empty(), statement::forget_settled, watch_submitters_, watch_from_);
    // After the cursor, which this write may have made.
    when(!window_submitters_.empty(), statement::set_windows, window_submitters_, window_sizes_, window_limits_,
         window_tokens_);
    when(!status_submitters_.empty(), statement::set_statuses, status_submitters_, statuses_, status_reasons_,
         status_tokens_);
    when(!commands_.empty(), statement::finish_commands, commands_, command_tokens_);
    when(!marks_.nonces.empty(), statement::mark_allocations, marks_.submitters, marks_.nonces, marks_.statuses,
         marks_.hashes, marks_.reasons, marks_.tokens, lane_owner.value());
    when(!renewed_.empty(), statement::renew_written, renewed_);
    return queries;
}

}  // namespace fencepost::store
