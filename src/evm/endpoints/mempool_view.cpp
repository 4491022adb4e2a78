// Combines hashes, counts and heads into presence of transactions.
#include "evm/endpoints/mempool_view.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "evm/errors/rpc_errors.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {
namespace {

using jsonrpc::Request;
using Seen = PoolReading::Seen;

// Both counts and the head.
constexpr std::size_t extra_requests = 3;
// A pool keeps no more queued transactions per account than this, so no more are queried by hash.
constexpr std::size_t max_by_hash = 64;

Seen seen_by(const Answer& answer, const TxHash& asked) {
    const auto transaction = read_answer(answer, read_transaction);
    if (!transaction) return Seen::unclear;
    if (!*transaction) return Seen::nothing;
    if ((*transaction)->hash != asked) return Seen::unclear;
    return (*transaction)->where.block_number ? Seen::mined : Seen::waiting;
}

// Any attempt of a transaction is enough; it is unknown only when every attempt was answered with null.
Seen both(Seen a, Seen b) {
    for (const auto seen : {Seen::mined, Seen::waiting, Seen::unclear})
        if (a == seen || b == seen) return seen;
    return Seen::nothing;
}

}  // namespace

std::vector<Request> pool_requests(const Address& account, const std::vector<PoolQuery>& questions) {
    std::vector<Request> batch;
    for (const auto& question : questions) {
        for (const auto& hash : question.hashes)
            batch.push_back({"eth_getTransactionByHash", {write_data(hash.view())}});
    }
    for (const auto at : {At::latest, At::pending})
        batch.push_back({"eth_getTransactionCount", {account.to_lower(), write_tag(at)}});
    batch.push_back({"eth_blockNumber", {}});
    return batch;
}

std::vector<PoolQuery> limit_to_batch(std::vector<PoolQuery> questions, std::size_t max_batch) {
    std::size_t room = max_batch - std::min(max_batch, extra_requests);
    std::size_t fitting = 0;
    while (fitting < std::min(questions.size(), max_by_hash) && questions[fitting].hashes.size() <= room)
        room -= questions[fitting++].hashes.size();
    questions.resize(fitting);
    return questions;
}

std::optional<PoolReading> read_pool(const std::vector<Answer>& answers, const std::vector<PoolQuery>& questions) {
    FP_ASSERT(answers.size() >= extra_requests);
    const auto* besides = &answers[answers.size() - extra_requests];
    const auto latest = read_answer(besides[0], read_uint64, "transaction count");
    const auto pending = read_answer(besides[1], read_uint64, "transaction count");
    const auto head = read_answer(besides[2], read_uint64, "block number");
    if (!latest || !pending || !head) return std::nullopt;
    PoolReading reading{.latest = Nonce(*latest),
                        .pending = Nonce(std::max(*latest, *pending)),
                        .head = BlockNumber(*head),
                        .seen = {}};
    std::size_t next = 0;
    for (const auto& question : questions) {
        // Without a hash there is no way to look it up.
        auto seen = question.hashes.empty() ? Seen::unclear : Seen::nothing;
        for (const auto& hash : question.hashes)
            seen = both(seen, seen_by(answers[next++], hash));
        reading.seen.push_back(seen);
    }
    return reading;
}

PoolPresence::PoolPresence(std::vector<PoolQuery> questions, MempoolCapabilities& capabilities, BlockNumber told)
    : questions_(std::move(questions)),
      capabilities_(capabilities),
      reported_head_(told),
      presence_(questions_.size(), Presence::unknown) {}

void PoolPresence::learn(const PoolReading& reading, const std::vector<PoolQuery>& asked) {
    if (std::ranges::any_of(reading.seen, [](Seen seen) { return seen == Seen::waiting; }))
        capabilities_.returns_pending_by_hash = true;
    const auto counted = [&](const PoolQuery& each) {
        return each.nonce >= reading.latest && each.nonce < reading.pending;
    };
    if (std::ranges::any_of(asked, counted)) capabilities_.counts = true;
}

bool PoolPresence::take_first(const PoolReading& reading) {
    if (reading.head < reported_head_) return false;
    first_ = reading;
    learn(reading, questions_);
    // A pending count that covers a transaction which the endpoint would know by hash, but does not, includes gaps
    // (Erigon).
    const bool lowest_is_missing = capabilities_.returns_pending_by_hash && !reading.seen.empty() &&
                                   reading.seen.front() == Seen::nothing && questions_.front().nonce >= reading.latest;
    count_is_trusted_ = !lowest_is_missing;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        if (questions_[i].nonce < reading.latest || is_counted(questions_[i].nonce)) presence_[i] = Presence::held;
    }
    return true;
}

std::vector<PoolQuery> PoolPresence::open() const {
    // If no pending transaction was ever returned by hash, and the lowest is not, the others would not be either.
    const bool shows_nothing =
        !capabilities_.returns_pending_by_hash && !first_.seen.empty() && first_.seen.front() != Seen::mined;
    std::vector<PoolQuery> open;
    for (std::size_t i = 0; i < questions_.size() && !shows_nothing; ++i)
        if (presence_[i] == Presence::unknown) open.push_back(questions_[i]);
    return open;
}

void PoolPresence::take_second(const PoolReading& reading, const std::vector<PoolQuery>& asked) {
    learn(reading, asked);
    std::size_t next = 0;
    for (std::size_t i = 0; i < questions_.size() && next < asked.size(); ++i) {
        if (questions_[i].nonce != asked[next].nonce) continue;
        presence_[i] = judge(reading.seen[next], reading, asked[next]);
        ++next;
    }
}

Presence PoolPresence::judge(Seen seen, const PoolReading& second, const PoolQuery& question) const {
    // Several nodes behind one address answer alternately: one lags, and neither proves anything.
    const bool is_one_view = second.head >= std::max(reported_head_, first_.head) && second.latest >= first_.latest;
    if (question.nonce < second.latest || seen == Seen::mined) return Presence::held;
    switch (seen) {
        case Seen::waiting:
            // Known by hash, but not counted as pending: about to be promoted (geth does so a moment later), queued
            // above a gap, or dropped but still cached (Nethermind). None of these is a reason to send more, so it is
            // not `held`, which grows the window; and it is not absent. Where the pending count never showed anything,
            // the hash is the only evidence.
            return question.nonce < second.pending || !capabilities_.counts ? Presence::held : Presence::unknown;
        case Seen::nothing:
            return is_one_view && capabilities_.returns_pending_by_hash ? Presence::absent : Presence::unknown;
        case Seen::unclear:
        case Seen::mined:
            return Presence::unknown;
    }
    FP_UNREACHABLE();
}

PoolView PoolPresence::view(std::string endpoint) const {
    return {.endpoint = std::move(endpoint), .mined = first_.latest, .pending = first_.pending, .presence = presence_};
}

}  // namespace fencepost::evm
