// Derives answers from what was inserted and what already existed.
#include "store/postgres/acceptance.hpp"

#include <algorithm>
#include <utility>

#include "store/lane_rules.hpp"

namespace fencepost::store {
namespace {

bool is_refusal(const AcceptAnswer& answer) {
    return answer.kind == AcceptKind::submitter_paused || answer.kind == AcceptKind::submitter_protected;
}

// Empty when the submitter was refused at the insert but is active now: the next round will accept it.
std::optional<AcceptAnswer> answer(const NewIntent& intent, const pg::Rows& rows, std::size_t row,
                                   Inserted& unreported) {
    if (rows.is_null(row, 0)) {
        const auto status = rows.text(row, 2);
        if (status == name_of(SubmitterStatus::active)) return std::nullopt;
        const auto kind =
            status == name_of(SubmitterStatus::paused) ? AcceptKind::submitter_paused : AcceptKind::submitter_protected;
        return AcceptAnswer{kind, intent.id, rows.text(row, 3)};
    }
    // The first entry for an inserted transaction is the new one; later entries repeat it.
    const TxId existing(rows.uuid(row, 0));
    if (const auto fresh = unreported.extract(existing)) {
        return AcceptAnswer{AcceptKind::accepted, existing, "", fresh.mapped()};
    }
    const bool same = rows.bytes(row, 1) == to_bytes(fingerprint(intent.intent));
    return AcceptAnswer{same ? AcceptKind::same_again : AcceptKind::other_body, existing, ""};
}

}  // namespace

Acceptance::Acceptance(std::vector<NewIntent> batch) : batch_(std::move(batch)), answers_(batch_.size()) {
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        const auto wrong = storability_error(batch_[i]);
        if (wrong.empty()) {
            open_.push_back(i);
        } else {
            answers_[i] = AcceptAnswer{AcceptKind::invalid, batch_[i].id, wrong};
        }
    }
}

std::vector<const NewIntent*> Acceptance::asked() const {
    std::vector<const NewIntent*> intents;
    intents.reserve(open_.size());
    for (const auto i : open_)
        intents.push_back(&batch_[i]);
    return intents;
}

void Acceptance::take_all(const Inserted& inserted) {
    for (const auto i : open_)
        answers_[i] = AcceptAnswer{AcceptKind::accepted, batch_[i].id, "", inserted.at(batch_[i].id)};
    open_.clear();
}

void Acceptance::take(const pg::Rows& existing, Inserted inserted) {
    std::vector<std::size_t> again;
    for (std::size_t row = 0; row < open_.size(); ++row) {
        const auto i = open_[row];
        answers_[i] = answer(batch_[i], existing, row, inserted);
        if (!answers_[i]) again.push_back(i);
    }
    open_ = std::move(again);
}

bool Acceptance::reopen_refused() {
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        if (is_refusal(*answers_[i]) && batch_[i].request) open_.push_back(i);
    }
    return is_open();
}

StoreError Acceptance::error(StoreError of_this_round) const {
    const bool wrote = std::ranges::any_of(
        answers_, [](const auto& answer) { return answer && answer->kind == AcceptKind::accepted; });
    return wrote ? StoreError::unknown_outcome : of_this_round;
}

std::vector<AcceptAnswer> Acceptance::answers() && {
    std::vector<AcceptAnswer> result;
    result.reserve(answers_.size());
    for (auto& one : answers_)
        result.push_back(*std::move(one));
    return result;
}

}  // namespace fencepost::store
