// Runs a store test, and builds its intents and writes.
#include "store_fixture.hpp"

#include <chrono>

#include <boost/asio/co_spawn.hpp>

namespace fencepost::contract {

StoreContract::StoreContract() : under_test_(GetParam().make(executor(), clock_, random_)) {}

StoreContract::~StoreContract() {
    under_test_.reset();
    context_.restart();
    context_.poll();
}

void StoreContract::run(Task<void> body) {
    bool ended = false;
    asio::co_spawn(context_, std::move(body), [&ended](const std::exception_ptr& error) {
        ended = true;
        try {
            if (error) std::rethrow_exception(error);
        } catch (const std::exception& e) {
            ADD_FAILURE() << "the test ended with an exception: " << e.what();
        }
    });
    context_.restart();
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!ended && std::chrono::steady_clock::now() < give_up)
        context_.run_one_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(ended) << "the test does not end";
}

NewIntent StoreContract::intent(std::uint64_t value) {
    return {.id = TxId(ids_.next(clock_.unix_now(), random_.bits())),
            .submitter = submitter_,
            .request = std::nullopt,
            .intent = {.to = "0x00000000000000000000000000000000000000cc", .value = Wei(value)}};
}

NewIntent StoreContract::intent(const SubmitterId& submitter, std::string request, std::uint64_t value) {
    auto result = intent(value);
    result.submitter = submitter;
    result.request = RequestId(std::move(request));
    return result;
}

Task<std::vector<TxId>> StoreContract::accepted(std::size_t n) {
    std::vector<NewIntent> batch;
    std::vector<TxId> ids;
    for (std::size_t i = 0; i < n; ++i) {
        batch.push_back(intent(i));
        ids.push_back(batch.back().id);
    }
    const auto answers = (co_await store().accept(batch)).value();
    for (const auto& answer : answers)
        EXPECT_EQ(answer.kind, AcceptKind::accepted) << answer.reason;
    co_return ids;
}

Task<Fence> StoreContract::opened(Store* at, NodeId node, Duration lease) {
    const auto answer = (co_await at->open(submitter_, node, lease)).value();
    EXPECT_TRUE(answer.fence.has_value()) << name_of(answer.result);
    co_return answer.fence.value_or(Fence{});
}

Task<void> StoreContract::lapse(Fence fence) {
    static constexpr auto shortest = std::chrono::milliseconds(1);
    std::vector<LeaseClaim> claims{{submitter_, fence}};
    EXPECT_EQ((co_await store().renew(std::move(claims), shortest)).value().at(0), LeaseResult::renewed);
    while ((co_await store().submitter(submitter_)).value().held)
        co_await sleep(shortest);
}

LaneWrite StoreContract::allocation(const Fence& fence, const TxId& tx, std::uint64_t nonce) {
    LaneWrite write{.submitter = submitter_, .fence = fence};
    write.cursor = CursorMove{nonce == 0 ? std::nullopt : std::optional(Nonce(nonce)), Nonce(nonce + 1)};
    write.transactions.push_back(
        {.tx = tx, .expected = queued, .to = allocated_position, .nonce = Nonce(nonce), .attempts = {attempt(nonce)}});
    return write;
}

LaneWrite StoreContract::update(const Fence& fence, TxUpdate update) {
    LaneWrite write{.submitter = submitter_, .fence = fence};
    write.transactions.push_back(std::move(update));
    return write;
}

Task<WriteAnswer> StoreContract::write(Store* at, LaneWrite write) {
    std::vector<LaneWrite> batch;
    batch.push_back(std::move(write));
    co_return (co_await at->write(std::move(batch))).value().at(0);
}

Task<TxId> StoreContract::allocated(Fence fence) {
    const auto ids = co_await accepted(1);
    EXPECT_EQ(co_await write(&store(), allocation(fence, ids[0], 0)), WriteAnswer::applied);
    co_return ids[0];
}

Task<TxView> StoreContract::view(TxId id) {
    auto found = (co_await store().by_id(id)).value();
    EXPECT_TRUE(found.has_value());
    co_return std::move(found).value();
}

Task<std::vector<SubmitterId>> StoreContract::unfinished(Store* at) {
    std::vector<SubmitterId> submitters;
    for (const auto& found : (co_await at->unfinished_submitters()).value())
        submitters.push_back(found.submitter);
    co_return submitters;
}

Attempt attempt(std::uint64_t nonce, std::uint8_t variant, AttemptKind kind) {
    Attempt result{.kind = kind, .nonce = Nonce(nonce), .raw = {variant, 0, 255}, .gas_limit = Gas(21'000)};
    result.fees = DynamicFee{Wei(100), Wei(variant)};
    result.hash.data[0] = variant;
    for (std::size_t i = 0; i < 8; ++i)
        result.hash.data[8 + i] = static_cast<std::uint8_t>(nonce >> (8 * i));
    return result;
}

ClaimedSend claim(std::uint64_t nonce, AttemptKind kind) {
    return {.kind = kind,
            .nonce = Nonce(nonce),
            .to = "0x00000000000000000000000000000000000000cc",
            .value = Wei(5),
            .data = {0xca, 0xfe},
            .gas_limit = Gas(30'000),
            .fees = kind == AttemptKind::filler ? Fees(LegacyFee{Wei(7)}) : Fees(DynamicFee{Wei(100), Wei(2)})};
}

Receipt receipt_of(const Attempt& attempt, std::uint64_t block) {
    Receipt receipt{
        .hash = attempt.hash, .block_number = BlockNumber(block), .succeeded = true, .gas_used = Gas(21'000)};
    receipt.block_hash.data[0] = static_cast<std::uint8_t>(block);
    return receipt;
}

}  // namespace fencepost::contract
