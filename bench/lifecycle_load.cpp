#include "lifecycle_load.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace fencepost::bench {
namespace {

constexpr Position queued{State::queued};
constexpr Position allocated{State::allocated};
constexpr Position mined{State::tracking, SubState::mined};
constexpr Position confirmed{State::confirmed};

constexpr std::size_t raw_size = 120;  // the size of a signed transfer

template <typename T>
T or_throw(Result<T, StoreError> result) {
    if (!result) throw std::runtime_error(fmt::format("the store answered: {}", name_of(result.error())));
    return *std::move(result);
}

BlockRef block_at(std::uint64_t number) {
    BlockRef block{.number = BlockNumber(number)};
    block.hash.data[0] = static_cast<std::uint8_t>(number);
    block.parent.data[0] = static_cast<std::uint8_t>(number - 1);
    return block;
}

}  // namespace

PhaseTimes& PhaseTimes::operator+=(const PhaseTimes& more) {
    batches += more.batches;
    transactions += more.transactions;
    accept += more.accept;
    allocate += more.allocate;
    settle += more.settle;
    return *this;
}

const SubmitterId& submitter_at(std::size_t index) {
    static const auto all = [] {
        std::vector<SubmitterId> ids;
        ids.reserve(submitters);
        for (std::size_t i = 0; i < submitters; ++i)
            ids.push_back(SubmitterId::parse(fmt::format("eip155:1:0x{:040x}", 0xaa00 + i)).value());
        return ids;
    }();
    return all.at(index);
}

Intent sample_intent() { return {.to = "0x00000000000000000000000000000000000000cc", .value = Wei(1'000'000)}; }

Attempt attempt_of(const Item& item) {
    Attempt attempt{.nonce = item.nonce, .raw = Bytes(raw_size, 7), .gas_limit = Gas(21'000)};
    attempt.fees = DynamicFee{Wei(100), Wei(2)};
    // Spread like real hashes, otherwise their index would be cheaper than in production.
    const auto spread = (item.nonce.value() * submitters + item.submitter + 1) * 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < sizeof(spread); ++i)
        attempt.hash.data[i] = static_cast<std::uint8_t>(spread >> (8 * i));
    return attempt;
}

Receipt receipt_of(const Item& item) {
    const auto block = block_at(7);
    return {.hash = attempt_of(item).hash,
            .block_number = block.number,
            .block_hash = block.hash,
            .succeeded = true,
            .gas_used = Gas(21'000)};
}

std::vector<BlockRef> sample_confirmations() { return {block_at(8), block_at(9), block_at(10)}; }

Batch Source::next(std::size_t size) {
    Batch batch;
    for (std::size_t i = 0; i < size; ++i) {
        const auto submitter = turn_++ % submitters;
        batch.push_back(
            {TxId(ids_.next(clock_.unix_now(), random_.bits())), submitter, Nonce(nonces_.at(submitter)++)});
    }
    return batch;
}

LifecycleLoad::LifecycleLoad(Store& store, const Clock& clock, Random& random)
    : store_(store),
      clock_(clock),
      source_(clock, random) {}

Task<void> LifecycleLoad::open_lanes() {
    for (std::size_t i = 0; i < submitters; ++i) {
        const auto answer = or_throw(co_await store_.open(submitter_at(i), NodeId("bench"), std::chrono::minutes(10)));
        fences_.push_back(answer.fence.value());
    }
}

Task<PhaseTimes> LifecycleLoad::run(std::size_t batch_size, Duration how_long, EventMode event_mode) {
    PhaseTimes times;
    while (times.whole() < how_long) {
        const auto batch = source_.next(batch_size);
        const auto begun = clock_.monotonic();
        co_await accept(batch);
        const auto accepted = clock_.monotonic();
        co_await allocate(batch);
        const auto signed_at = clock_.monotonic();
        co_await mine(batch, event_mode);
        co_await confirm(batch, event_mode);
        times.accept += accepted - begun;
        times.allocate += signed_at - accepted;
        times.settle += clock_.monotonic() - signed_at;
        times.transactions += batch_size;
        ++times.batches;
    }
    co_return times;
}

Task<void> LifecycleLoad::accept(Batch batch) {
    std::vector<NewIntent> intents;
    for (const auto& item : batch) {
        intents.push_back(
            {item.id, submitter_at(item.submitter), RequestId(item.id.value().to_string()), sample_intent()});
    }
    for (const auto& answer : or_throw(co_await store_.accept(std::move(intents)))) {
        if (answer.kind != AcceptKind::accepted) throw std::runtime_error("an intent was not accepted");
    }
}

template <typename MakeUpdate>
std::vector<LaneWrite> LifecycleLoad::by_submitter(const Batch& batch, MakeUpdate make_update) const {
    std::array<std::vector<TxUpdate>, submitters> updates;
    for (const auto& item : batch)
        updates.at(item.submitter).push_back(make_update(item));
    std::vector<LaneWrite> writes;
    for (std::size_t i = 0; i < submitters; ++i) {
        if (updates.at(i).empty()) continue;
        writes.push_back({.submitter = submitter_at(i), .fence = fences_.at(i)});
        writes.back().transactions = std::move(updates.at(i));
    }
    return writes;
}

Task<void> LifecycleLoad::allocate(Batch batch) {
    auto next = cursors_;
    for (const auto& item : batch)
        next.at(item.submitter) = item.nonce.next();
    auto writes = by_submitter(batch, [](const Item& item) {
        return TxUpdate{
            .tx = item.id, .expected = queued, .to = allocated, .nonce = item.nonce, .attempts = {attempt_of(item)}};
    });
    auto write = writes.begin();
    for (std::size_t i = 0; i < submitters; ++i) {
        if (next.at(i) != cursors_.at(i)) (write++)->cursor = CursorMove{cursors_.at(i), next.at(i).value()};
    }
    cursors_ = next;
    co_await this->write(std::move(writes));
}

Task<void> LifecycleLoad::mine(Batch batch, EventMode event_mode) {
    co_await write(by_submitter(batch, [event_mode](const Item& item) {
        const auto receipt = receipt_of(item);
        TxUpdate update{.tx = item.id, .expected = allocated, .to = mined, .sends = 1, .receipt = receipt};
        if (event_mode == EventMode::events) {
            update.events = {TxSubmitted{receipt.hash}, TxReceiptUpdated{receipt.block_number, true}};
        }
        return update;
    }));
}

Task<void> LifecycleLoad::confirm(Batch batch, EventMode event_mode) {
    co_await write(by_submitter(batch, [event_mode](const Item& item) {
        TxUpdate update{.tx = item.id, .expected = mined, .to = confirmed, .confirmations = sample_confirmations()};
        if (event_mode == EventMode::events) update.events = {TxConfirmed{sample_confirmations(), false}};
        return update;
    }));
}

Task<void> LifecycleLoad::write(std::vector<LaneWrite> writes) {
    for (const auto answer : or_throw(co_await store_.write(std::move(writes)))) {
        if (answer != WriteAnswer::applied) throw std::runtime_error(fmt::format("a write was {}", name_of(answer)));
    }
}

}  // namespace fencepost::bench
