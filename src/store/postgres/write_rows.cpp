#include "store/postgres/write_rows.hpp"

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

enum ReceiptAction : std::int64_t { set = 1, clear = 2 };

void add_marks(std::vector<NonceMarkRow>& marks, const LaneWrite& write) {
    for (const auto& mark : write.nonce_marks) {
        marks.push_back({.submitter = write.submitter.to_string(),
                         .nonce = number(mark.nonce.value()),
                         .status = std::string(name_of(mark.status)),
                         .tx_hash = maybe<Bytes>(mark.hash, [](const TxHash& hash) { return to_bytes(hash.view()); }),
                         .reason = storable(mark.reason),
                         .token = number(write.fence.token.value())});
    }
}

}  // namespace

void Expectations::add(const LaneWrite& write) {
    add_marks(marks_, write);
    if (write.cursor) cursor_submitters_.emplace_back(write.submitter.to_string());
    for (const auto& command : write.commands_done)
        commands_.push_back({.sequence = number(command.value()), .submitter = write.submitter.to_string()});
}

Query Expectations::cursors() const { return {&statement::read_cursors, pg::Params().add(cursor_submitters_)}; }

Query Expectations::commands() const { return query_of<statement::unexpected_commands>(commands_); }

Query Expectations::allocations() const {
    auto query = query_of<statement::unexpected_allocations>(marks_);
    query.params.add(lane_owner.value());
    return query;
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

void WriteRows::add(const LaneWrite& write, bool renew_lease) {
    const auto& name = write.submitter.to_string();
    const auto token = number(write.fence.token.value());
    for (const auto& update : write.transactions) {
        add(update, write);
        if (update.nonce) {
            assignments_.push_back(
                {.submitter = name, .nonce = number(update.nonce->value()), .tx_id = update.tx.value()});
        }
        if (moves_settled(update)) settled_.push_back({.tx_id = update.tx.value(), .token = token});
    }
    for (const auto& [verdict, count] : verdicts_in(write)) {
        verdicts_.push_back(
            {.submitter = name, .state = std::string(name_of(verdict)), .count = number(count), .token = token});
    }
    if (write.cursor) {
        cursors_.push_back({.submitter = name,
                            .next = number(write.cursor->next.value()),
                            .first_watched = number(lowest_watched(write).value()),
                            .token = token});
    }
    if (write.watch_from)
        watches_.push_back({.submitter = name, .watch_from = number(write.watch_from->value()), .token = token});
    if (write.window) {
        windows_.push_back({.submitter = name,
                            .size = number(write.window->size),
                            .cause = std::string(name_of(write.window->limit)),
                            .token = token});
    }
    if (write.status) {
        statuses_.push_back({.submitter = name,
                             .status = std::string(name_of(write.status->status)),
                             .reason = storable(write.status->reason),
                             .token = token});
    }
    for (const auto& command : write.commands_done)
        commands_.push_back({.sequence = number(command.value()), .token = token});
    add_marks(marks_, write);
    if (renew_lease) renewed_.emplace_back(name);
}

void WriteRows::add(const TxUpdate& update, const LaneWrite& write) {
    assert_valid(update);
    const auto token = number(write.fence.token.value());
    const bool now_confirmed = update.to.state == State::confirmed && update.expected.state != State::confirmed;
    TransactionRow row{.tx_id = update.tx.value(),
                       .submitter = write.submitter.to_string(),
                       .expected_state = std::string(name_of(update.expected.state)),
                       .expected_sub_state = unless_empty(name_of(update.expected.sub)),
                       .state = std::string(name_of(update.to.state)),
                       .sub_state = unless_empty(name_of(update.to.sub)),
                       .abandonment = maybe<std::string>(update.abandonment, [](Abandonment a) { return name_of(a); }),
                       .nonce = maybe<std::int64_t>(update.nonce, [](Nonce n) { return number(n.value()); }),
                       .done = unless(false, is_final(update.to.state)),
                       .confirmed = unless(false, now_confirmed),
                       .sends = unless<std::int64_t>(0, update.sends),
                       .next_in = maybe<std::int64_t>(
                           update.next_action_in,
                           [](Duration d) { return std::chrono::duration_cast<std::chrono::microseconds>(d).count(); }),
                       .receipt_missing = unless(false, update.receipt_missing),
                       .error = maybe<std::string>(update.error, [](const std::string& e) { return storable(e); }),
                       .confirmations = maybe<std::string>(
                           update.confirmations, [this](const auto& blocks) { return confirmations_.encoded(blocks); }),
                       .events = unless<std::int64_t>(0, number(update.events.size())),
                       .token = token,
                       .progress = maybe<std::string>(update.progress, [](const TxProgress& p) { return encode(p); })};
    add_receipt(row, update);
    transactions_.push_back(std::move(row));
    add_attempts(update, token);
    add_claims(update, token);
    add_events(update, write.fence);
    add_history(update, write.fence);
    add_requeued(update, write);
}

// The hash shown is that of the mined attempt, else of the latest.
void WriteRows::add_receipt(TransactionRow& row, const TxUpdate& update) {
    if (!update.attempts.empty()) row.tx_hash = to_bytes(update.attempts.back().hash.view());
    if (std::holds_alternative<RollBackReceipt>(update.receipt)) row.receipt_action = clear;
    const auto* receipt = std::get_if<Receipt>(&update.receipt);
    if (receipt == nullptr) return;
    row.tx_hash = to_bytes(receipt->hash.view());
    row.receipt_action = set;
    row.receipt = encode(*receipt);
    row.receipt_number = number(receipt->block_number.value());
    row.receipt_hash = to_bytes(receipt->block_hash.view());
}

void WriteRows::add_attempts(const TxUpdate& update, std::int64_t token) {
    for (std::size_t i = 0; i < update.attempts.size(); ++i) {
        const auto& attempt = update.attempts[i];
        attempts_.push_back({.tx_id = update.tx.value(),
                             .place = number(i),
                             .kind = std::string(name_of(attempt.kind)),
                             .nonce = number(attempt.nonce.value()),
                             .tx_hash = to_bytes(attempt.hash.view()),
                             .raw = attempt.raw,
                             .gas_params = encode(GasParams{attempt.fees, attempt.gas_limit}),
                             .token = token,
                             .first = update.nonce.has_value()});
    }
}

void WriteRows::add_claims(const TxUpdate& update, std::int64_t token) {
    for (std::size_t i = 0; i < update.claims.size(); ++i) {
        const auto& claim = update.claims[i];
        claims_.push_back({.tx_id = update.tx.value(),
                           .place = number(i),
                           .kind = std::string(name_of(claim.kind)),
                           .nonce = number(claim.nonce.value()),
                           .payload = encode(claim),
                           .token = token});
    }
}

void WriteRows::add_events(const TxUpdate& update, const Fence& fence) {
    for (std::size_t i = 0; i < update.events.size(); ++i) {
        const auto& event = update.events[i];
        const auto* confirmed = std::get_if<TxConfirmed>(&event);
        events_.places.push_back({.update = current_update(), .below = number(update.events.size() - i)});
        events_.rows.push_back({.tx_id = update.tx.value(),
                                .kind = std::string(name_of(event)),
                                .body = confirmed != nullptr ? confirmations_.encoded(*confirmed) : encode(event),
                                .node = fence.node.value(),
                                .token = number(fence.token.value())});
    }
}

// Equal steps that follow each other are one row, which counts them.
void WriteRows::add_history(const TxUpdate& update, const Fence& fence) {
    const HistoryStep* last = nullptr;
    Numbered<StepRow>* last_added = nullptr;
    for (const auto& step : update.history) {
        if (last != nullptr && step == *last) {
            ++last_added->rows.back().times;
            continue;
        }
        last_added = last == nullptr && update.events.empty() ? &foldable_ : &steps_;
        last_added->places.push_back({.update = current_update()});
        last_added->rows.push_back({.tx_id = update.tx.value(),
                                    .kind = std::string(name_of(step.kind)),
                                    .body = encode_detail(step.detail),
                                    .node = fence.node.value(),
                                    .token = number(fence.token.value())});
        last = &step;
    }
}

void WriteRows::add_requeued(const TxUpdate& update, const LaneWrite& write) {
    if (!update.requeue) return;
    const auto id = requeued_id(update.tx).value();
    const auto token = number(write.fence.token.value());
    requeued_.push_back({.tx_id = id,
                         .requeued_from = update.tx.value(),
                         .request_id = requeued_request(update.tx).value(),
                         .token = token});
    events_.places.push_back({.update = current_update(), .of_new = 1});
    events_.rows.push_back({.tx_id = id,
                            .kind = std::string(TxAccepted::name),
                            .body = encode(TxEventBody(TxAccepted{write.submitter, update.tx})),
                            .node = write.fence.node.value(),
                            .token = token});
    steps_.places.push_back({.update = current_update(), .of_new = 2});
    steps_.rows.push_back({.tx_id = id,
                           .kind = std::string(name_of(HistoryKind::requeued)),
                           .body = encode_detail(*update.requeue),
                           .node = write.fence.node.value(),
                           .token = token});
}

Query WriteRows::move() const { return query_of<statement::update_transactions>(transactions_); }

std::set<std::string> WriteRows::take(const pg::Rows& moved) {
    std::vector<std::optional<std::int64_t>> next_events(transactions_.size());
    for (std::size_t row = 0; row < moved.size(); ++row)
        next_events.at(static_cast<std::size_t>(moved.integer(row, 0)) - 1) = moved.integer(row, 1);
    std::set<std::string> unexpected;
    for (std::size_t i = 0; i < next_events.size(); ++i) {
        if (!next_events[i]) unexpected.insert(transactions_[i].submitter);
    }
    if (!unexpected.empty()) return unexpected;
    const auto number_at = [&](const Place& place) {
        return place.of_new.value_or(*next_events[place.update] - place.below);
    };
    for (std::size_t i = 0; i < events_.rows.size(); ++i)
        events_.rows[i].sequence = number_at(events_.places[i]);
    for (auto* steps : {&foldable_, &steps_}) {
        for (std::size_t i = 0; i < steps->rows.size(); ++i)
            steps->rows[i].next_event = number_at(steps->places[i]);
    }
    return unexpected;
}

std::vector<Query> WriteRows::queries() const {
    std::vector<Query> queries;
    const auto add = [&queries] < const auto & statement > (const auto& rows) {
        if (!rows.empty()) queries.push_back(query_of<statement>(rows));
    };
    add.operator()<statement::insert_requeued>(requeued_);
    add.operator()<statement::insert_requeued_intents>(requeued_);
    add.operator()<statement::insert_events>(events_.rows);
    // The fold before the steps that would hide the row it continues.
    add.operator()<statement::fold_steps>(foldable_.rows);
    add.operator()<statement::insert_steps>(steps_.rows);
    add.operator()<statement::insert_attempts>(attempts_);
    add.operator()<statement::insert_claims>(claims_);
    add.operator()<statement::leave_ledger>(marks_);
    add.operator()<statement::assign_nonces>(assignments_);
    add.operator()<statement::count_verdicts>(verdicts_);
    add.operator()<statement::move_cursors>(cursors_);
    add.operator()<statement::note_settled>(settled_);
    add.operator()<statement::move_watch>(watches_);
    add.operator()<statement::forget_settled>(watches_);
    // After the cursor, which this write may have made.
    add.operator()<statement::set_windows>(windows_);
    add.operator()<statement::set_statuses>(statuses_);
    add.operator()<statement::finish_commands>(commands_);
    if (!marks_.empty()) {
        queries.push_back(query_of<statement::mark_allocations>(marks_));
        queries.back().params.add(lane_owner.value());
    }
    if (!renewed_.empty()) queries.push_back({&statement::renew_written, pg::Params().add(renewed_)});
    return queries;
}

}  // namespace fencepost::store
