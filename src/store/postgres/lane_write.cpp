// A lane's write on PostgreSQL, in two round trips: lock and compare, then write and commit. Nothing is sent for a
// submitter whose fence does not hold or whose rows are not as expected.
#include <algorithm>
#include <map>
#include <set>

#include "base/assert.hpp"
#include "store/postgres/pg_pool.hpp"
#include "store/postgres/pg_store_error.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/write_columns.hpp"
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

std::set<std::string> conflicting(const Expectations& expected, const std::vector<LaneWrite>& batch,
                                  const Rows& unexpected, const Rows& cursors, const Rows& commands) {
    std::set<std::string> submitters;
    for (std::size_t row = 0; row < commands.size(); ++row)
        submitters.insert(commands.text(row, 0));
    for (std::size_t row = 0; row < unexpected.size(); ++row) {
        submitters.insert(expected.submitter_of(static_cast<std::size_t>(unexpected.integer(row, 0)) - 1));
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
    return {{&statement::lock_leases, Params().add(submitters)},
            {&statement::read_leases, Params().add(submitters)},
            expected.positions(),
            expected.cursors(),
            expected.commands()};
}

}  // namespace

Task<Result<std::vector<WriteAnswer>, StoreError>> PostgresStore::write_together(std::vector<LaneWrite> batch) {
    Expectations expected;
    for (const auto& write : batch)
        expected.add(write);

    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    const auto seen = co_await session.begin(lock_and_compare(batch, expected));
    if (!seen) co_return err(to_store_error(seen.error()));

    const auto leases = read_leases(seen->at(0), seen->at(1));
    const auto conflicts = conflicting(expected, batch, seen->at(2), seen->at(3), seen->at(4));
    WriteColumns columns;
    std::vector<WriteAnswer> answers;
    for (const auto& write : batch) {
        auto answer = judge_fence(write, leases);
        if (answer == WriteAnswer::applied && conflicts.contains(write.submitter.to_string())) {
            answer = WriteAnswer::conflict;
        }
        if (answer == WriteAnswer::applied) columns.add(write, leases.at(write.submitter.to_string()).past_half);
        answers.push_back(answer);
    }
    const auto written = co_await session.commit(columns.queries());
    if (written) co_return answers;
    // A unique violation: some submitter's write contradicts the ledger. Which one, is found out one by one.
    if (written.error().is("23505")) {
        if (batch.size() > 1) co_return co_await write_one_by_one(std::move(batch));
        co_return std::vector{WriteAnswer::conflict};
    }
    co_return err(to_store_error(written.error()));
}

Task<Result<std::vector<WriteAnswer>, StoreError>> PostgresStore::write_one_by_one(std::vector<LaneWrite> batch) {
    std::vector<WriteAnswer> answers;
    for (auto& write : batch) {
        const auto answer = co_await write_together({std::move(write)});
        // Those before it may stand: "nothing was written" would not be true of the batch.
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
    std::vector<WriteAnswer> answers;
    answers.reserve(is_first.size());
    auto next = answered->begin();
    for (const bool asked : is_first)
        answers.push_back(asked ? *next++ : WriteAnswer::busy);
    co_return answers;
}

}  // namespace fencepost::store
