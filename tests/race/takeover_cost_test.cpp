// The cost of a takeover on PostgreSQL with very many settled but not finalized transactions: the lowest pending nonce
// is sent within a second of the lease, and settled ones are still watched.
#include <fmt/format.h>

#include "lane/host/lane_host.hpp"
#include "lane/prepare/builder.hpp"
#include "ports/log.hpp"
#include "ports/telemetry.hpp"
#include "race_fixture.hpp"
#include "settled_chain.hpp"
#include "store/json_codec.hpp"

namespace fencepost::race {
namespace {

constexpr std::uint64_t settled_before = 200'000;
constexpr std::uint64_t pending_count = 1'000;
constexpr std::uint64_t per_block = 16;
// The promise is one second. This machine may be busy with other tests.
constexpr Duration promised = 1s;
constexpr Duration allowed = 3 * promised;

class NoSigner final : public Signer {
public:
    [[nodiscard]] bool can_sign_for(const SubmitterId&) const override { return true; }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction) override {
        co_return err(SignError{SignError::Kind::unavailable, "everything here is signed already"});
    }
};

Bytes raw_at(std::uint64_t nonce) {
    Bytes raw(115, 7);
    for (std::size_t i = 0; i < 8; ++i)
        raw[7 - i] = static_cast<std::uint8_t>(nonce >> (8 * i));
    return raw;
}

/// A separate node next to the test, until it is destroyed.
struct LaneNode {
    LaneNode(const Executor& executor, Clock& clock, Store& store, const char* name)
        : chain(executor, clock, {.settled = settled_before, .per_block = per_block, .latency = 20ms}),
          host(executor, NodeId(name),
               {.leases = store,
                .store = store,
                .commands = store,
                .headers = store,
                .signer = signer,
                .builder = builder,
                .clock = clock,
                .telemetry = telemetry,
                .log = log},
               {.lease = 60s}) {
        host.add_chain(chain);
    }

    SettledChain chain;
    NoSigner signer;
    lane::IdentityBuilder builder;
    NoTelemetry telemetry;
    NoLog log;
    lane::LaneHost host;
};

class TakeoverCost : public RaceTest {
protected:
    [[nodiscard]] std::string name() const { return submitter_.to_string(); }

    // Each settled transaction as its life leaves it, then those that the last owner had recorded but not sent.
    void fill() {
        for (const auto* table : {"managed_tx", "tx_intent", "nonce_assignment", "tx_attempt", "settled_block"})
            session().run(fmt::format("ALTER TABLE {} SET (autovacuum_enabled = false)", table));
        const auto intent = store::encode(Intent{.to = "0x00000000000000000000000000000000000000cc", .value = Wei(1)});
        const auto gas =
            store::encode(store::GasParams{.fees = DynamicFee{Wei(2'000'000'000), Wei(1)}, .gas_limit = Gas(21'000)});
        session().run(fmt::format(R"sql(
WITH tx AS MATERIALIZED (
    SELECT n AS nonce, lpad(to_hex(n), 32, '0')::uuid AS tx_id, n < {settled} AS done,
           decode('aa' || lpad(to_hex(n), 62, '0'), 'hex') AS tx_hash,
           {genesis} + 1 + n / {per_block} AS number,
           decode(lpad(to_hex({genesis} + 1 + n / {per_block}), 62, '0') || '00', 'hex') AS hash
    FROM generate_series(0, {all} - 1) n
), hot AS (
    INSERT INTO managed_tx
        (tx_id, accept_sequence, submitter, fingerprint, state, nonce, tx_hash, done, submit_attempts, receipt,
         receipt_block_number, receipt_block_hash, next_event)
    SELECT tx_id, nonce + 1, '{name}', tx_hash, CASE WHEN done THEN 'CONFIRMED' ELSE 'ALLOCATED' END, nonce, tx_hash,
           done, CASE WHEN done THEN 1 ELSE 0 END,
           CASE WHEN done THEN jsonb_build_object(
               'txHash', '0x' || encode(tx_hash, 'hex'), 'blockNumber', number,
               'blockHash', '0x' || encode(hash, 'hex'), 'succeeded', true, 'gasUsed', 21000,
               'effectiveGasPrice', '1') END,
           CASE WHEN done THEN number END, CASE WHEN done THEN hash END, 4
    FROM tx
), intent AS (
    INSERT INTO tx_intent (tx_id, payload) SELECT tx_id, '{intent}' FROM tx
), ledger AS (
    INSERT INTO nonce_assignment (submitter, nonce, tx_id) SELECT '{name}', nonce, tx_id FROM tx
)
INSERT INTO tx_attempt (tx_id, ordinal, kind, nonce, tx_hash, raw, gas_params, fencing_token)
SELECT tx_id, 0, 'original', nonce, tx_hash,
       decode(lpad(to_hex(nonce), 16, '0') || repeat('07', 107), 'hex'), '{gas}', 7
FROM tx)sql",
                                  fmt::arg("settled", settled_before), fmt::arg("all", settled_before + pending_count),
                                  fmt::arg("genesis", SettledChain::genesis), fmt::arg("per_block", per_block),
                                  fmt::arg("name", name()), fmt::arg("intent", intent), fmt::arg("gas", gas)));
        session().run(fmt::format("INSERT INTO submitter_nonce_cursor VALUES ('{}', {}, 0, 7, now())", name(),
                                  settled_before + pending_count));
        session().run(fmt::format("INSERT INTO submitter_lease VALUES ('{}', 'gone', 7, now(), now(), now())", name()));
        session().run(R"sql(
INSERT INTO settled_block (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
SELECT submitter, min(nonce), max(nonce), receipt_block_number, receipt_block_hash, 7
FROM managed_tx
WHERE done
GROUP BY submitter, receipt_block_number, receipt_block_hash)sql");
        session().run("SELECT setval('accept_sequence', 1000000)");
    }

    Task<void> wait_until(std::function<bool()> condition, const char* what) {
        for (int looks = 0; !condition(); ++looks) {
            if (looks == 2'000) throw std::runtime_error(fmt::format("condition never held: {}", what));
            co_await sleep(10ms);
        }
    }

    /// From the lease request to the first byte of the lowest pending nonce.
    Task<void> take_over(LaneNode* node, const char* which) {
        co_await wait_until([&] { return node->chain.knows_head(); }, "the node follows its chain");
        co_await sleep(2s);
        const auto asked = clock_.monotonic();
        node->host.open(submitter_, {.window = 4'096});
        const auto lowest = raw_at(settled_before);
        co_await wait_until([&] { return node->chain.find_sent(lowest) != nullptr; }, "the lowest nonce is sent");
        const auto& sent = *node->chain.find_sent(lowest);
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(sent.at - asked);
        fmt::print("takeover, {}: {} ms to the first send\n", which, took.count());
        RecordProperty(which, std::to_string(took.count()));
        EXPECT_LE(took, allowed);
        EXPECT_GE(sent.counts_asked, 1U) << "the cursor is compared with the chain first";
        EXPECT_EQ(node->chain.sent().front().raw, lowest);
        co_await wait_until(
            [&] { return node->chain.find_sent(raw_at(settled_before + pending_count - 1)) != nullptr; },
            "all others are sent");
    }

    Task<void> within(LaneNode* node, Task<void> body) {
        TaskGroup beside(executor());
        beside.spawn(node->host.run());
        std::exception_ptr failed;
        try {
            co_await std::move(body);
        } catch (...) {
            failed = std::current_exception();
        }
        beside.cancel();
        co_await beside.join();
        if (failed) std::rethrow_exception(failed);
    }

    // Opening trusts nothing it did not read: a block of settled transactions that is lost later is detected at once.
    Task<void> take_over_and_lose_a_block(LaneNode* node) {
        co_await take_over(node, "analysed");
        node->chain.replace_head();
        for (auto nonce = settled_before - per_block; nonce < settled_before; ++nonce) {
            co_await wait_until([&] { return node->chain.find_sent(raw_at(nonce)) != nullptr; },
                                "transactions removed by a reorg are resent");
        }
        co_await until(
            fmt::format("count(*) = {} FROM managed_tx WHERE state = 'CONFIRMED' AND sub_state = 'FORKED'", per_block));
        EXPECT_EQ(node->chain.find_sent(raw_at(settled_before - per_block - 1)), nullptr);
    }

    std::uint64_t entries_read() {
        return std::stoull(value("SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'managed_tx'"));
    }
    // Independent of the machine's speed: no settled rows are read. PostgreSQL reports its statistics with the next
    // statement, once a second.
    Task<void> read_no_settled_rows() {
        const auto before = entries_read();
        std::uint64_t read = 0;
        for (std::uint64_t loads = 1; loads < 15 && read == 0; ++loads) {
            const auto state = (co_await store().load(submitter_)).value();
            EXPECT_EQ(state.settled.size(), settled_before / per_block);
            EXPECT_EQ(state.watched.size(), pending_count);
            co_await sleep(1100ms);
            read = entries_read() - before;
            EXPECT_LE(read, loads * 5 * pending_count) << "index entries read";
        }
        EXPECT_GE(read, pending_count);
    }

    Task<void> takeovers() {
        fill();
        auto first = std::make_unique<LaneNode>(executor(), clock_, store(), "first");
        co_await within(first.get(), take_over(first.get(), "not analysed"));
        co_await read_no_settled_rows();
        session().run("UPDATE submitter_lease SET expires_at = now() - interval '1 s'");
        session().run("UPDATE managed_tx SET state = 'ALLOCATED' WHERE NOT done");
        session().run("ANALYZE");
        auto second = std::make_unique<LaneNode>(executor(), clock_, other(), "second");
        co_await within(second.get(), take_over_and_lose_a_block(second.get()));
    }

private:
    SystemClock clock_;
};

INSTANTIATE_TEST_SUITE_P(, TakeoverCost, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(TakeoverCost, Failure44SendsLowestPendingNonceWithinSecondOfLease) { run(takeovers()); }

}  // namespace
}  // namespace fencepost::race
