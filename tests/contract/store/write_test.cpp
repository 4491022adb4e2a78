// A lane's writes: all of a submitter's part or nothing, and never under an invalid fence.
#include <algorithm>

#include "base/async/task_group.hpp"
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

const TxProgress some_progress{
    .written_at = UnixTime(1'763'500'000s), .sent_for = 2s, .resend_in = 60s, .facts = {.tries = 3}};

class WriteContract : public StoreContract {
protected:
    Task<void> allocation_is_one_thing() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto id = co_await allocated(fence);
        const auto stored = co_await view(id);
        EXPECT_EQ(stored.position, allocated_position);
        EXPECT_EQ(stored.nonce, Nonce(0));
        EXPECT_EQ(stored.hash, attempt(0).hash);
        EXPECT_EQ(stored.fencing_token, fence.token);
        EXPECT_EQ((co_await store().attempts(id)).value(), std::vector{attempt(0)});
        EXPECT_EQ((co_await store().submitter(submitter_)).value().next_nonce, Nonce(1));
        EXPECT_TRUE((co_await store().head_of_queue(submitter_, AcceptSequence(0), 10)).value().empty());
    }

    // Every kind of change that a lane can make, each as a separate write.
    std::vector<LaneWrite> every_kind(const Fence& fence, const TxId& tx, const TxId& queued_tx) {
        std::vector<LaneWrite> writes;
        writes.push_back(allocation(fence, queued_tx, 1));
        const auto with = [&](TxUpdate change) {
            change.tx = tx;
            change.expected = change.expected == Position{} ? allocated_position : change.expected;
            change.to = change.to == Position{} ? allocated_position : change.to;
            writes.push_back(update(fence, std::move(change)));
        };
        with({.attempts = {attempt(0, 2, AttemptKind::bump)}});
        with({.claims = {claim(0)}});
        with({.to = tracking, .sends = 1});
        with({.next_action_in = 60s});
        with({.receipt_missing = true});
        with({.to = mined, .receipt = receipt_of(attempt(0), 7)});
        with({.receipt = RollBackReceipt{}});
        with({.abandonment = Abandonment::cancelled});
        with({.confirmations = std::vector<BlockRef>{}});
        with({.error = "boom"});
        with({.events = {TxSubmitted{attempt(0).hash}}});
        with({.history = {{HistoryKind::broadcast, "x"}}});
        with({.expected = {State::stuck, SubState::nonce_taken},
              .to = {State::failed_final, SubState::nonce_taken},
              .requeue = "x"});
        writes.push_back({.submitter = submitter_, .fence = fence, .watch_from = Nonce(1)});
        writes.push_back({.submitter = submitter_, .fence = fence, .window = WindowState{64, WindowLimit::demand}});
        writes.push_back(
            {.submitter = submitter_, .fence = fence, .status = StatusChange{SubmitterStatus::paused, "x"}});
        writes.push_back({.submitter = submitter_, .fence = fence, .commands_done = {CommandSequence(1)}});
        return writes;
    }

    Task<void> expect_untouched(TxId tx) {
        const auto stored = co_await view(tx);
        EXPECT_EQ(stored.position, allocated_position);
        EXPECT_EQ(stored.abandonment, Abandonment::none);
        EXPECT_EQ(stored.submit_attempts, 0U);
        EXPECT_EQ(stored.next_action_at, std::nullopt);
        EXPECT_EQ(stored.last_receipt_check, std::nullopt);
        EXPECT_EQ(stored.receipt, std::nullopt);
        EXPECT_EQ(stored.error, "");
        EXPECT_EQ((co_await store().attempts(tx)).value().size(), 1U);
        EXPECT_EQ((co_await store().history(tx)).value().size(), 1U) << "accepted, and nothing since";
        const auto submitter = (co_await store().submitter(submitter_)).value();
        EXPECT_EQ(submitter.next_nonce, Nonce(1));
        EXPECT_EQ(submitter.status.status, SubmitterStatus::active);
        const auto loaded = (co_await store().load(submitter_)).value();
        EXPECT_EQ(loaded.watch_from, Nonce(0));
        EXPECT_EQ(loaded.window, std::nullopt);
        EXPECT_EQ((co_await store().pending(submitter_)).value().size(), 1U);
    }

    Task<void> every_write_is_fenced_after_takeover() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        const auto queued_tx = (co_await accepted(1)).at(0);
        EXPECT_TRUE((co_await store().post({.submitter = submitter_, .kind = CommandKind::pause})).has_value());
        co_await lapse(a);
        for (auto& write_of_a : every_kind(a, tx, queued_tx)) {
            EXPECT_EQ(co_await write(&store(), std::move(write_of_a)), WriteAnswer::fenced)
                << "expired, without a takeover";
        }
        const auto b = co_await opened(&other(), node_b_);
        for (auto& write_of_a : every_kind(a, tx, queued_tx)) {
            EXPECT_EQ(co_await write(&store(), std::move(write_of_a)), WriteAnswer::fenced) << "taken over by B";
        }
        co_await expect_untouched(tx);
        for (auto& write_of_a : every_kind({node_a_, b.token}, tx, queued_tx)) {
            EXPECT_EQ(co_await write(&store(), std::move(write_of_a)), WriteAnswer::fenced)
                << "the right token, not the owner";
        }
        EXPECT_EQ(co_await write(&other(), allocation(b, queued_tx, 1)), WriteAnswer::applied);
    }

    // As an unprotect writes it: the nonces in between belong to none of our transactions.
    Task<void> cursor_jumps() {
        const auto a = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(a);
        const auto command = (co_await store().post({.submitter = submitter_, .kind = CommandKind::unprotect})).value();
        LaneWrite jump{.submitter = submitter_,
                       .fence = a,
                       .cursor = CursorMove{Nonce(7), Nonce(9)},
                       .watch_from = Nonce(9),
                       .status = StatusChange{SubmitterStatus::active, ""},
                       .commands_done = {command}};
        EXPECT_EQ(co_await write(&store(), jump), WriteAnswer::conflict) << "the cursor is elsewhere";
        EXPECT_EQ((co_await store().pending(submitter_)).value().size(), 1U);
        jump.cursor->expected = Nonce(1);
        EXPECT_EQ(co_await write(&store(), jump), WriteAnswer::applied);
        const auto state = (co_await store().load(submitter_)).value();
        EXPECT_EQ(state.next_nonce, Nonce(9));
        EXPECT_EQ(state.watch_from, Nonce(9));
        EXPECT_TRUE((co_await store().pending(submitter_)).value().empty());
        const auto next = (co_await accepted(1)).at(0);
        EXPECT_EQ(co_await write(&store(), allocation(a, next, 9)), WriteAnswer::applied);
    }

    // No hash is known yet, but a takeover must know that something may have been sent.
    Task<void> claims_are_kept() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        auto allocate = allocation(a, tx, 0);
        allocate.transactions.front().attempts.clear();
        allocate.transactions.front().claims = {claim(0)};
        EXPECT_EQ(co_await write(&store(), allocate), WriteAnswer::applied);
        EXPECT_EQ((co_await view(tx)).hash, std::nullopt);
        auto filler = claim(0, AttemptKind::filler);
        filler.to.reset();
        EXPECT_EQ(
            co_await write(
                &store(),
                update(a, {.tx = tx, .expected = allocated_position, .to = allocated_position, .claims = {filler}})),
            WriteAnswer::applied);
        const auto found = (co_await other().load(submitter_)).value().watched.at(0);
        EXPECT_EQ(found.claims, (std::vector{claim(0), filler}));
        EXPECT_TRUE(found.attempts.empty());
        const auto known = attempt_of(claim(0), attempt(0).hash);
        EXPECT_EQ(
            co_await write(&store(),
                           update(a, {.tx = tx, .expected = allocated_position, .to = tracking, .attempts = {known}})),
            WriteAnswer::applied);
        EXPECT_EQ((co_await view(tx)).hash, known.hash);
        EXPECT_EQ(open_claims((co_await store().load(submitter_)).value().watched.at(0)), std::vector{filler});
    }

    Task<void> zombie_self() {
        const auto old = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(old);
        const auto fresh = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await write(&store(), update(old, {.tx = tx, .expected = allocated_position, .to = tracking})),
                  WriteAnswer::fenced);
        EXPECT_EQ(co_await write(&store(), update(fresh, {.tx = tx, .expected = allocated_position, .to = tracking})),
                  WriteAnswer::applied);
    }

    Task<void> conflict_writes_nothing() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        const auto next = (co_await accepted(1)).at(0);
        auto mixed = allocation(fence, next, 1);
        mixed.transactions.push_back({.tx = tx, .expected = mined, .to = confirmed, .events = {TxFailed{"never"}}});
        EXPECT_EQ(co_await write(&store(), std::move(mixed)), WriteAnswer::conflict);
        EXPECT_EQ((co_await view(next)).position, queued);
        EXPECT_EQ((co_await store().submitter(submitter_)).value().next_nonce, Nonce(1));

        auto wrong_cursor = allocation(fence, next, 1);
        wrong_cursor.cursor->expected = Nonce(5);
        EXPECT_EQ(co_await write(&store(), std::move(wrong_cursor)), WriteAnswer::conflict);
        auto first_contact_again = allocation(fence, next, 1);
        first_contact_again.cursor->expected = std::nullopt;
        EXPECT_EQ(co_await write(&store(), std::move(first_contact_again)), WriteAnswer::conflict);
        auto used_nonce = allocation(fence, next, 0);
        used_nonce.cursor.reset();
        EXPECT_EQ(co_await write(&store(), std::move(used_nonce)), WriteAnswer::conflict);
        auto unknown = allocation(fence, intent().id, 1);
        EXPECT_EQ(co_await write(&store(), std::move(unknown)), WriteAnswer::conflict);
        EXPECT_EQ((co_await view(next)).position, queued);
        EXPECT_EQ(co_await write(&store(), allocation(fence, next, 1)), WriteAnswer::applied);
    }

    Task<void> neighbours_are_apart() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        auto foreign = intent(second_, "r");
        std::vector<NewIntent> batch_of_one{foreign};
        EXPECT_TRUE((co_await store().accept(batch_of_one)).has_value());
        const auto second_fence = *(co_await store().open(second_, node_a_, 30s)).value().fence;

        std::vector<LaneWrite> batch;
        batch.push_back(allocation(fence, tx, 0));
        batch.push_back(allocation({node_a_, FenceToken(9)}, foreign.id, 0));
        batch.back().submitter = second_;
        batch.push_back(allocation(fence, tx, 0));
        auto answers = (co_await store().write(batch)).value();
        EXPECT_EQ(answers, (std::vector{WriteAnswer::applied, WriteAnswer::fenced, WriteAnswer::busy}));
        EXPECT_EQ((co_await view(foreign.id)).position, queued);

        std::vector<LaneWrite> again;
        again.push_back(allocation(fence, tx, 0));
        again.push_back(allocation(second_fence, foreign.id, 0));
        again.back().submitter = second_;
        answers = (co_await store().write(again)).value();
        EXPECT_EQ(answers, (std::vector{WriteAnswer::conflict, WriteAnswer::applied}));
    }

    Task<void> a_whole_life() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        const std::vector<BlockRef> blocks{{BlockNumber(8), {}, {}}, {BlockNumber(9), {}, {}}};
        std::vector<TxUpdate> steps{
            {.to = tracking, .sends = 2, .next_action_in = 60s, .events = {TxSubmitted{attempt(0).hash}}},
            {.to = tracking, .attempts = {attempt(0, 2, AttemptKind::bump)}, .receipt_missing = true, .error = "slow"},
            {.to = mined,
             .receipt = receipt_of(attempt(0), 7),
             .error = "",
             .events = {TxReceiptUpdated{BlockNumber(7), true}}},
            {.to = {State::tracking, SubState::forked}, .receipt = RollBackReceipt{}},
            {.to = mined, .receipt = receipt_of(attempt(0), 8)},
            {.to = confirmed, .confirmations = blocks, .events = {TxConfirmed{blocks, false}}}};
        auto position = allocated_position;
        std::vector<TxHash> hashes;
        for (auto& step : steps) {
            step.tx = tx;
            step.expected = position;
            position = step.to;
            EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
            hashes.push_back((co_await view(tx)).hash.value());
        }
        const auto stored = co_await view(tx);
        EXPECT_EQ(hashes, (std::vector{attempt(0).hash, attempt(0, 2).hash, attempt(0).hash, attempt(0, 2).hash,
                                       attempt(0).hash, attempt(0).hash}))
            << "of the mined attempt, else of the latest";
        EXPECT_EQ(stored.position, confirmed);
        EXPECT_EQ(stored.submit_attempts, 2U);
        EXPECT_TRUE(stored.first_submit_at.has_value());
        EXPECT_TRUE(stored.last_receipt_check.has_value());
        EXPECT_TRUE(stored.confirmed_at.has_value());
        EXPECT_GT(stored.next_action_at, stored.last_submit_at);
        EXPECT_EQ(stored.receipt, receipt_of(attempt(0), 8));
        EXPECT_EQ(stored.hash, attempt(0).hash) << "the mined attempt, not the latest";
        EXPECT_EQ(stored.error, "");
        EXPECT_EQ((co_await store().stored_confirmations(tx)).value(), blocks);

        std::vector<std::pair<std::string, std::uint64_t>> told;
        for (const auto& logged : (co_await store().read_after({}, 100)).value()) {
            told.emplace_back(name_of(logged.event.body), logged.event.sequence.value());
        }
        EXPECT_EQ(told, (std::vector<std::pair<std::string, std::uint64_t>>{
                            {"TxAccepted", 1}, {"TxSubmitted", 2}, {"TxReceiptUpdated", 3}, {"TxConfirmed", 4}}));
    }

    Task<void> allocate_all(Fence fence, std::size_t* done) {
        for (std::uint64_t nonce = 0; nonce < 1'000;) {
            const auto queue = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 100)).value();
            // Of the rows present: one that commits late comes after them (failure 35).
            EXPECT_TRUE(std::ranges::is_sorted(queue, {}, &QueuedIntent::sequence)) << "in acceptance order";
            LaneWrite batch{.submitter = submitter_, .fence = fence};
            batch.cursor =
                CursorMove{nonce == 0 ? std::nullopt : std::optional(Nonce(nonce)), Nonce(nonce + queue.size())};
            for (const auto& item : queue) {
                batch.transactions.push_back({.tx = item.id, .expected = queued, .to = allocated_position});
                batch.transactions.back().nonce = Nonce(nonce);
                batch.transactions.back().attempts = {attempt(nonce++)};
            }
            if (queue.empty()) {
                co_await sleep(5ms);
            } else {
                EXPECT_EQ(co_await write(&store(), std::move(batch)), WriteAnswer::applied);
            }
            *done = nonce;
        }
    }
    Task<void> accept_some(std::size_t n) { std::ignore = co_await accepted(n); }

    Task<void> thousand_nonces() {
        const auto fence = co_await opened(&store(), node_a_);
        std::size_t done = 0;
        TaskGroup group(executor());
        for (int i = 0; i < 100; ++i)
            group.spawn(accept_some(10));
        group.spawn(allocate_all(fence, &done));
        co_await group.join();
        EXPECT_EQ(done, 1'000U);
        const auto state = (co_await store().load(submitter_)).value();
        EXPECT_EQ(state.next_nonce, Nonce(1'000));
        EXPECT_EQ(state.watched.size(), 1'000U);
        for (std::size_t i = 0; i < state.watched.size(); ++i)
            EXPECT_EQ(state.watched[i].nonce, Nonce(i));
    }

    Task<void> takeover_continues() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        EXPECT_EQ(co_await write(&store(), update(a, {.tx = tx,
                                                      .expected = allocated_position,
                                                      .to = tracking,
                                                      .attempts = {attempt(0, 2, AttemptKind::bump)},
                                                      .sends = 1,
                                                      .next_action_in = 60s,
                                                      .progress = some_progress,
                                                      .error = "pool_full"})),
                  WriteAnswer::applied);
        const auto waiting = (co_await accepted(1)).at(0);
        co_await sleep(350ms);
        co_await lapse(a);
        const auto b = co_await opened(&other(), node_b_);
        const auto state = (co_await other().load(submitter_)).value();
        EXPECT_EQ(state.next_nonce, Nonce(1));
        EXPECT_EQ(state.watched.size(), 1U);
        EXPECT_EQ(state.watched.at(0).id, tx);
        EXPECT_EQ(state.watched.at(0).position, tracking);
        EXPECT_EQ(state.watched.at(0).attempts, (std::vector{attempt(0), attempt(0, 2, AttemptKind::bump)}));
        EXPECT_EQ(state.intents.size(), 1U) << "the caller's intent, to build a bump from";
        EXPECT_EQ(state.intents.at(tx), (co_await other().by_id(tx)).value()->intent);
        const auto& sending = state.sendings.at(tx);
        EXPECT_GE(sending.since_first.value(), 300ms) << "a timeout continues under a new owner";
        EXPECT_LT(sending.since_first.value(), 30s);
        EXPECT_EQ(sending.progress, some_progress);
        EXPECT_GE(sending.since_progress, 300ms) << "by the database's clock";
        EXPECT_LT(sending.since_progress, 30s);
        EXPECT_EQ(sending.error, "pool_full");
        const auto queue = (co_await other().head_of_queue(submitter_, AcceptSequence(0), 5)).value();
        EXPECT_EQ(queue.at(0).id, waiting);
        EXPECT_GE(queue.at(0).waited, 300ms);
        EXPECT_EQ(co_await write(
                      &other(),
                      update(b, {.tx = tx, .expected = tracking, .to = mined, .receipt = receipt_of(attempt(0), 3)})),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await write(&other(), update(b, {.tx = tx, .expected = mined, .to = confirmed})),
                  WriteAnswer::applied);
        const auto settled = (co_await other().load(submitter_)).value();
        EXPECT_TRUE(settled.watched.empty());
        EXPECT_EQ(settled.settled.size(), 1U) << "a settled one's block is watched until it is finalized";
        EXPECT_EQ(
            co_await write(&other(),
                           update(b, {.tx = waiting, .expected = queued, .to = {State::cancelled, SubState::none}})),
            WriteAnswer::applied);
        EXPECT_EQ(co_await unfinished(&other()), std::vector{submitter_}) << "its lane is needed until then";
        EXPECT_EQ(co_await write(&other(), {.submitter = submitter_, .fence = b, .watch_from = Nonce(1)}),
                  WriteAnswer::applied);
        const auto finalized = (co_await other().load(submitter_)).value();
        EXPECT_TRUE(finalized.watched.empty() && finalized.settled.empty());
    }

    // Failures 26 and 44: only the blocks of settled transactions are loaded, and transactions removed by a reorg are
    // read back.
    Task<void> settled_blocks() {
        const auto fence = co_await opened(&store(), node_a_);
        std::vector<TxId> ids;
        for (std::uint64_t nonce = 0; nonce < 4; ++nonce) {
            ids.push_back((co_await accepted(1)).at(0));
            co_await must_write(allocation(fence, ids[nonce], nonce));
            const auto receipt = receipt_of(attempt(nonce), nonce < 2 ? 3 : 4);
            co_await must_write(update(fence, {.tx = ids[nonce], .expected = allocated_position, .to = tracking}));
            co_await must_write(
                update(fence, {.tx = ids[nonce], .expected = tracking, .to = mined, .receipt = receipt}));
            if (nonce == 3) break;  // mined, not settled
            co_await must_write(update(fence, {.tx = ids[nonce], .expected = mined, .to = confirmed}));
        }
        const auto state = (co_await store().load(submitter_)).value();
        EXPECT_EQ(state.watched.size(), 1U);
        EXPECT_EQ(state.watched.at(0).id, ids[3]);
        EXPECT_EQ(state.settled.size(), 2U);
        const auto third = receipt_of(attempt(0), 3);
        const SettledBlock block{third.block_number, third.block_hash, Nonce(0), Nonce(1)};
        EXPECT_EQ(state.settled.at(0), block);
        EXPECT_EQ(state.settled.at(1).first, Nonce(2));
        EXPECT_EQ(state.settled.at(1).last, Nonce(2)) << "the unsettled one is not part of it";

        const auto read = (co_await store().load_block(submitter_, block)).value();
        EXPECT_EQ(read.watched.size(), 2U);
        EXPECT_EQ(read.watched.at(0).id, ids[0]);
        EXPECT_EQ(read.watched.at(1).id, ids[1]);
        EXPECT_EQ(read.watched.at(1).attempts, std::vector{attempt(1)}) << "with its bytes";
        EXPECT_EQ(read.watched.at(1).position, confirmed);
        EXPECT_TRUE(read.watched.at(1).receipt.has_value());
        EXPECT_TRUE(read.intents.contains(ids[1]));
        EXPECT_TRUE(read.sendings.contains(ids[1]));

        constexpr Position removed{State::confirmed, SubState::forked};
        co_await must_write(
            update(fence, {.tx = ids[1], .expected = confirmed, .to = removed, .receipt = RollBackReceipt{}}));
        const auto after = (co_await store().load(submitter_)).value();
        EXPECT_EQ(after.watched.size(), 2U) << "one removed by a reorg is loaded like an unsettled one";
        EXPECT_EQ(after.watched.at(0).id, ids[1]);
        EXPECT_EQ(after.settled.at(0).last, Nonce(0));
        const auto left = (co_await store().load_block(submitter_, after.settled.at(0))).value();
        EXPECT_EQ(left.watched.size(), 1U) << "and is no longer part of its block";
        EXPECT_EQ(left.watched.at(0).id, ids[0]);

        co_await must_write(
            update(fence, {.tx = ids[1], .expected = removed, .to = confirmed, .receipt = receipt_of(attempt(1), 5)}));
        const auto again = (co_await store().load(submitter_)).value();
        EXPECT_EQ(again.watched.size(), 1U) << "mined again";
        EXPECT_EQ(again.settled.at(0).last, Nonce(0)) << "nonces ascend with blocks";
        EXPECT_EQ(again.settled.back(),
                  (SettledBlock{BlockNumber(5), receipt_of(attempt(1), 5).block_hash, Nonce(1), Nonce(1)}));
    }
    // Two writes settle the transactions of one block; a third unwatches the first of them.
    Task<void> settled_blocks_in_parts() {
        const auto fence = co_await opened(&store(), node_a_);
        for (std::uint64_t nonce = 0; nonce < 4; ++nonce) {
            const auto tx = (co_await accepted(1)).at(0);
            co_await must_write(allocation(fence, tx, nonce));
            co_await must_write(update(fence, {.tx = tx, .expected = allocated_position, .to = tracking}));
            co_await must_write(
                update(fence, {.tx = tx, .expected = tracking, .to = mined, .receipt = receipt_of(attempt(nonce), 3)}));
            co_await must_write(update(fence, {.tx = tx, .expected = mined, .to = confirmed}));
        }
        SettledBlock block{BlockNumber(3), receipt_of(attempt(0), 3).block_hash, Nonce(0), Nonce(3)};
        EXPECT_EQ((co_await store().load(submitter_)).value().settled, std::vector{block});
        co_await must_write({.submitter = submitter_, .fence = fence, .watch_from = Nonce(2)});
        block.first = Nonce(2);
        EXPECT_EQ((co_await store().load(submitter_)).value().settled, std::vector{block});
        co_await must_write({.submitter = submitter_, .fence = fence, .watch_from = Nonce(4)});
        EXPECT_TRUE((co_await store().load(submitter_)).value().settled.empty());
    }
    Task<void> must_write(LaneWrite write_one) {
        EXPECT_EQ(co_await write(&store(), std::move(write_one)), WriteAnswer::applied);
    }

    // A reason for giving up that was withdrawn with the verdict, and the verdict revoked after a reorg (failure 46).
    Task<void> a_revoked_verdict() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        constexpr Position removed{State::confirmed, SubState::forked};
        constexpr Position cancelling{State::allocated, SubState::cancelling};
        const auto filler = attempt(0, 2, AttemptKind::filler);
        std::vector<TxUpdate> steps{
            {.to = cancelling, .abandonment = Abandonment::cancelled},
            {.to = mined, .receipt = receipt_of(attempt(0), 7)},
            {.to = confirmed, .abandonment = Abandonment::none},
            {.to = removed, .receipt = RollBackReceipt{}},
            {.to = removed,
             .attempts = {filler},
             .abandonment = Abandonment::revoked,
             .events = {TxVerdictRevoked{State::confirmed, "by ops: twice"}}},
        };
        auto position = allocated_position;
        for (auto& step : steps) {
            step.tx = tx;
            step.expected = position;
            position = step.to;
            co_await must_write(update(fence, step));
            if (step.abandonment) EXPECT_EQ((co_await view(tx)).abandonment, *step.abandonment);
        }
        const auto state = (co_await store().load(submitter_)).value();
        EXPECT_EQ(state.watched.size(), 1U);
        EXPECT_EQ(state.watched.at(0).position, removed);
        EXPECT_EQ(state.watched.at(0).abandonment, Abandonment::revoked);
        EXPECT_EQ(attempt_to_send(state.watched.at(0)).hash, filler.hash);
        const auto told = (co_await store().read_after({}, 100)).value().back().event;
        EXPECT_EQ(told.tx, tx);
        EXPECT_EQ(std::get<TxVerdictRevoked>(told.body).verdict, State::confirmed);
    }

    Task<void> odd_texts() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        const std::string odd("endpoint said \xff and \0", 20);
        auto with_odd = update(fence, {.tx = tx,
                                       .expected = allocated_position,
                                       .to = tracking,
                                       .error = odd,
                                       .events = {TxFailed{odd}},
                                       .history = {{HistoryKind::broadcast, odd}}});
        with_odd.status = StatusChange{SubmitterStatus::paused, odd};
        EXPECT_EQ(co_await write(&store(), std::move(with_odd)), WriteAnswer::applied);
        EXPECT_TRUE((co_await view(tx)).error.starts_with("endpoint said "));
        EXPECT_EQ((co_await store().history(tx)).value().size(), 2U);
        EXPECT_EQ((co_await store().read_after({}, 10)).value().size(), 2U);
    }

    Task<void> late_write_renews() {
        const auto fence = co_await opened(&store(), node_a_, 5s);
        const auto tx = co_await allocated(fence);
        const auto before = (co_await store().submitter(submitter_)).value().lease.value().expires_at;
        co_await sleep(2600ms);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = tx, .expected = allocated_position, .to = tracking})),
                  WriteAnswer::applied);
        EXPECT_GT((co_await store().submitter(submitter_)).value().lease.value().expires_at, before + 2s)
            << "the write past half of the lease renewed it";
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, WriteContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(WriteContract, AllocationWritesNonceAttemptAndCursorTogether) { run(allocation_is_one_thing()); }
TEST_P(WriteContract, FencesEveryWriteAfterTakeover) { run(every_write_is_fenced_after_takeover()); }
TEST_P(WriteContract, CursorSkipsExternalNoncesOnOperatorCommand) { run(cursor_jumps()); }
TEST_P(WriteContract, RecordsConnectorClaimBeforeHash) { run(claims_are_kept()); }
TEST_P(WriteContract, Failure19FencesEarlierOpeningOfSameNode) { run(zombie_self()); }
TEST_P(WriteContract, ConflictWritesNothing) { run(conflict_writes_nothing()); }
TEST_P(WriteContract, SubmittersInOneBatchAreIndependent) { run(neighbours_are_apart()); }
TEST_P(WriteContract, RecordsWholeLifeCycle) { run(a_whole_life()); }
TEST_P(WriteContract, ThousandConcurrentCreatesGetContiguousNonces) { run(thousand_nonces()); }
TEST_P(WriteContract, NewOwnerContinuesFromDatabase) { run(takeover_continues()); }
TEST_P(WriteContract, Failure44LoadsBlocksInsteadOfSettledTransactions) { run(settled_blocks()); }
TEST_P(WriteContract, Failure46RecordsRevokedVerdictWithGapFiller) { run(a_revoked_verdict()); }
TEST_P(WriteContract, LoadsPartiallySettledBlockAsOne) { run(settled_blocks_in_parts()); }
TEST_P(WriteContract, InvalidEndpointTextFailsNothing) { run(odd_texts()); }
TEST_P(WriteContract, WritePastHalfOfTheLeaseRenewsIt) { run(late_write_renews()); }

}  // namespace
}  // namespace fencepost::contract
