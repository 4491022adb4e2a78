// A lane's write on PostgreSQL in three round trips: lock the leases; compare and update the transactions; write the
// rest and commit. Nothing is sent for a submitter whose fence does not hold, and nothing is committed together with a
// submitter whose rows differ from what is expected: that is rare, and the others then start over without it.
#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "base/assert.hpp"
#include "store/postgres/connection/pg_pool.hpp"
#include "store/postgres/connection/pg_store_error.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/write_rows.hpp"
#include "store/postgres/write_statements.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;

struct Held {
    bool locked = false;
    bool past_half = false;
    Fence fence;
    bool unexpired = false;
};
using HeldLeases = std::map<std::string, Held>;

HeldLeases read_leases(const Rows& locked, const Rows& all) {
    HeldLeases leases;
    const auto fence = [](const Rows& rows, std::size_t row) {
        return Fence{NodeId(rows.text(row, 1)), FenceToken(static_cast<std::uint64_t>(rows.integer(row, 2)))};
    };
    for (std::size_t row = 0; row < all.size(); ++row) {
        leases[all.text(row, 0)] = {.fence = fence(all, row), .unexpired = all.boolean(row, 3)};
    }
    for (std::size_t row = 0; row < locked.size(); ++row) {
        leases[locked.text(row, 0)] = {.locked = true,
                                       .past_half = locked.boolean(row, 4),
                                       .fence = fence(locked, row),
                                       .unexpired = locked.boolean(row, 3)};
    }
    return leases;
}

WriteAnswer judge_fence(const LaneWrite& write, const HeldLeases& leases) {
    const auto lease = leases.find(write.submitter.to_string());
    if (lease == leases.end() || lease->second.fence != write.fence || !lease->second.unexpired) {
        return WriteAnswer::fenced;
    }
    return lease->second.locked ? WriteAnswer::applied : WriteAnswer::busy;
}

// From the results of lock_and_compare(): first the cursors, then the submitters with any other conflict.
std::set<std::string> conflicting(const std::vector<LaneWrite>& batch, const std::vector<Rows>& seen) {
    std::set<std::string> submitters;
    const auto& cursors = seen.at(2);
    for (const auto& unexpected : seen | std::views::drop(3)) {
        for (std::size_t row = 0; row < unexpected.size(); ++row)
            submitters.insert(unexpected.text(row, 0));
    }
    std::map<std::string, Nonce> next;
    for (std::size_t row = 0; row < cursors.size(); ++row) {
        next[cursors.text(row, 0)] = Nonce(static_cast<std::uint64_t>(cursors.integer(row, 1)));
    }
    for (const auto& write : batch) {
        if (!write.cursor) continue;
        const auto found = next.find(write.submitter.to_string());
        const auto current = found == next.end() ? std::nullopt : std::optional(found->second);
        if (current != write.cursor->expected) submitters.insert(write.submitter.to_string());
    }
    return submitters;
}

std::vector<Query> lock_and_compare(const std::vector<LaneWrite>& batch, const Expectations& expected) {
    std::vector<std::optional<std::string>> submitters;
    submitters.reserve(batch.size());
    for (const auto& write : batch)
        submitters.emplace_back(write.submitter.to_string());
    std::vector<Query> queries{{&statement::lock_leases, Params().add(submitters)},
                               {&statement::read_leases, Params().add(submitters)},
                               expected.cursors(),
                               expected.commands()};
    if (expected.marks_nonces()) queries.push_back(expected.allocations());
    return queries;
}

// Puts the answers of the queried entries at their positions; the other answers are known already.
std::vector<WriteAnswer> merge_answers(const std::vector<bool>& asked, const std::vector<WriteAnswer>& answers,
                                       WriteAnswer of_the_others) {
    std::vector<WriteAnswer> all;
    all.reserve(asked.size());
    auto next = answers.begin();
    for (const bool was_asked : asked)
        all.push_back(was_asked ? *next++ : of_the_others);
    return all;
}

// Adds the rows of the granted writes.
std::vector<WriteAnswer> judge(const std::vector<LaneWrite>& batch, const std::vector<Rows>& seen, WriteRows& rows) {
    const auto leases = read_leases(seen.at(0), seen.at(1));
    const auto conflicts = conflicting(batch, seen);
    std::vector<WriteAnswer> answers;
    for (const auto& write : batch) {
        auto answer = judge_fence(write, leases);
        if (answer == WriteAnswer::applied && conflicts.contains(write.submitter.to_string())) {
            answer = WriteAnswer::conflict;
        }
        if (answer == WriteAnswer::applied) rows.add(write, leases.at(write.submitter.to_string()).past_half);
        answers.push_back(answer);
    }
    return answers;
}

}  // namespace

struct PostgresStore::WriteRound {
    std::vector<WriteAnswer> answers{};
    std::set<std::string> unexpected{};  // submitters with unexpected rows: nothing was written
    bool violates_ledger = false;        // some write violates the ledger: nothing was written
};

Task<Result<PostgresStore::WriteRound, StoreError>> PostgresStore::write_round(const std::vector<LaneWrite>* batch) {
    Expectations expected;
    for (const auto& write : *batch)
        expected.add(write);

    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    const auto seen = co_await session.begin(lock_and_compare(*batch, expected));
    if (!seen) co_return err(to_store_error(seen.error()));

    WriteRows rows;
    WriteRound round{.answers = judge(*batch, *seen, rows)};
    if (rows.moves_transactions()) {
        std::vector<Query> move;
        move.push_back(rows.move());
        const auto moved = co_await session.more(std::move(move));
        if (!moved) co_return err(to_store_error(moved.error()));
        round.unexpected = rows.take(moved->front());
    }
    if (!round.unexpected.empty()) {
        const auto undone = co_await session.rollback();
        if (!undone) co_return err(StoreError::unavailable);
        co_return round;
    }
    const auto written = co_await session.commit(rows.queries());
    round.violates_ledger = !written && written.error().is("23505");
    if (!written && !round.violates_ledger) co_return err(to_store_error(written.error()));
    co_return round;
}

// Holds no connection between rounds: with as many such batches as connections, none would ever proceed.
Task<Result<std::vector<WriteAnswer>, StoreError>> PostgresStore::write_together(std::vector<LaneWrite> batch) {
    const auto round = co_await write_round(&batch);
    if (!round) co_return err(round.error());
    if (round->violates_ledger) {
        // Unique violation: some submitter's write violates the ledger. Writing one by one finds out which.
        if (batch.size() > 1) co_return co_await write_one_by_one(std::move(batch));
        co_return std::vector{WriteAnswer::conflict};
    }
    if (round->unexpected.empty()) co_return round->answers;

    std::vector<LaneWrite> others;
    std::vector<bool> asked_again;
    for (auto& write : batch) {
        asked_again.push_back(!round->unexpected.contains(write.submitter.to_string()));
        if (asked_again.back()) others.push_back(std::move(write));
    }
    if (others.empty()) co_return std::vector(asked_again.size(), WriteAnswer::conflict);
    const auto answers = co_await write_together(std::move(others));
    if (!answers) co_return err(answers.error());
    co_return merge_answers(asked_again, *answers, WriteAnswer::conflict);
}

Task<Result<std::vector<WriteAnswer>, StoreError>> PostgresStore::write_one_by_one(std::vector<LaneWrite> batch) {
    std::vector<WriteAnswer> answers;
    for (auto& write : batch) {
        std::vector<LaneWrite> alone;
        alone.push_back(std::move(write));
        const auto answer = co_await write_together(std::move(alone));
        // Writes before it may be committed: "nothing was written" would be wrong for the batch.
        const bool wrote = std::ranges::count(answers, WriteAnswer::applied) > 0;
        if (!answer) co_return err(wrote ? StoreError::unknown_outcome : answer.error());
        answers.push_back(answer->front());
    }
    co_return answers;
}

Task<Result<std::vector<WriteAnswer>, StoreError>> PostgresStore::write(std::vector<LaneWrite> batch) {
    std::set<SubmitterId> seen;
    std::vector<LaneWrite> first;
    std::vector<bool> is_first;
    for (auto& write : batch) {
        is_first.push_back(seen.insert(write.submitter).second);
        if (is_first.back()) first.push_back(std::move(write));
    }
    const auto answered = co_await write_together(std::move(first));
    if (!answered) co_return err(answered.error());
    co_return merge_answers(is_first, *answered, WriteAnswer::busy);
}

}  // namespace fencepost::store
