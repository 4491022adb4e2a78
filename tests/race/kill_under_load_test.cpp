// PostgreSQL is killed under load, as in a power failure, and restarts: everything acknowledged exists, nothing exists
// twice, and the store reconnects.
#include <set>

#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class KillUnderLoad : public RaceTest {
protected:
    struct Load {
        bool over = false;
        std::size_t failures = 0;
        std::size_t accepted_after_restart = 0;
        bool restarted = false;
        std::set<TxId> acknowledged{};                    // accepted
        std::set<std::pair<std::string, TxId>> nonces{};  // "submitter/nonce" of every applied allocation
    };

    // A client: retries until it has an answer, always with the same request id and a new transaction id each time.
    Task<void> accept_for_ever(std::size_t lane, int client, Load* load) {
        for (int n = 0; !load->over; ++n) {
            const auto request = fmt::format("{}/{}", client, n);
            for (bool answered = false; !answered;) {
                const auto answer = co_await store().accept(one(intent(numbered(lane), request)));
                answered = answer.has_value();
                if (!answered) {
                    ++load->failures;
                    continue;
                }
                load->acknowledged.insert(answer->at(0).id);
                if (load->restarted) ++load->accepted_after_restart;
            }
        }
    }

    Task<std::optional<Fence>> reopened(SubmitterId lane, std::uint64_t* next, Load* load) {
        const auto open = co_await other().open(lane, node_a_, 30s);
        if (!open || !open->fence) {
            ++load->failures;
            co_await sleep(20ms);
            co_return std::nullopt;
        }
        const auto state = co_await other().load(lane);
        if (!state) co_return std::nullopt;
        *next = state->next_nonce ? state->next_nonce->value() : 0;
        co_return open->fence;
    }

    // A lane: allocates queued transactions; after any error it reopens, as law 1 requires.
    Task<void> allocate_for_ever(std::size_t number, Load* load) {
        const auto lane = numbered(number);
        std::optional<Fence> fence;
        std::uint64_t next = 0;
        while (!load->over) {
            if (!fence) fence = co_await reopened(lane, &next, load);
            if (!fence) continue;
            const auto queue = co_await other().head_of_queue(lane, AcceptSequence(0), 1);
            if (!queue || queue->empty()) {
                co_await sleep(5ms);
                continue;
            }
            auto change = allocation(*fence, queue->at(0).id, next);
            change.submitter = lane;
            const auto answer = co_await other().write(one(change));
            if (!answer) {
                ++load->failures;
                fence.reset();
            } else if (answer->at(0) == WriteAnswer::applied) {
                load->nonces.emplace(fmt::format("{}/{}", lane.to_string(), next++), queue->at(0).id);
            } else {
                EXPECT_EQ(answer->at(0), WriteAnswer::busy) << name_of(answer->at(0));
            }
        }
    }

    void expect_acknowledged_there(const Load& load) {
        std::set<std::string> ids;
        for (const auto& row : session().run("SELECT tx_id FROM managed_tx JOIN tx_intent USING (tx_id)"))
            ids.insert(row[0]);
        for (const auto& id : load.acknowledged)
            EXPECT_TRUE(ids.contains(id.value().to_string()));
        std::set<std::pair<std::string, std::string>> ledger;
        for (const auto& row : session().run("SELECT submitter || '/' || nonce, tx_id FROM nonce_assignment"))
            ledger.emplace(row[0], row[1]);
        for (const auto& [place, id] : load.nonces)
            EXPECT_TRUE(ledger.contains({place, id.value().to_string()}));
    }

    void expect_nothing_twice() {
        EXPECT_EQ(value("SELECT count(*) - count(DISTINCT (submitter, request_id)) FROM managed_tx"), "0");
        EXPECT_EQ(value("SELECT count(*) - count(DISTINCT tx_id) FROM nonce_assignment"), "0");
        EXPECT_EQ(value("SELECT count(*) FROM managed_tx t FULL JOIN nonce_assignment n USING (tx_id) "
                        "WHERE t.nonce IS DISTINCT FROM n.nonce"),
                  "0");
        EXPECT_EQ(value("SELECT count(*) FROM (SELECT max(nonce) + 1 - count(*) AS gap FROM nonce_assignment GROUP BY "
                        "submitter) s WHERE gap <> 0"),
                  "0")
            << "no gap";
        EXPECT_EQ(value("SELECT count(*) FROM managed_tx t WHERE nonce IS NOT NULL AND "
                        "(SELECT count(*) FROM tx_attempt a WHERE a.tx_id = t.tx_id) <> 1"),
                  "0");
    }

    // However slow the machine is, some load exists when the server dies.
    Task<void> until_done(const Load* load, std::size_t many) {
        while (load->acknowledged.size() <= many || load->nonces.size() <= many)
            co_await sleep(10ms);
    }

    Task<void> killed_twice() {
        Load load;
        TaskGroup group(executor());
        for (int client = 0; client < 6; ++client)
            group.spawn(accept_for_ever(static_cast<std::size_t>(client % 3), client, &load));
        for (std::size_t lane = 0; lane < 3; ++lane)
            group.spawn(allocate_for_ever(lane, &load));
        for (int round = 0; round < 2; ++round) {
            co_await sleep(1500ms);
            co_await until_done(&load, 30 * (static_cast<std::size_t>(round) + 1));
            load.restarted = false;
            database().cluster().stop_immediate();
            co_await sleep(300ms);
            database().cluster().start();
            load.restarted = true;
            const auto before = load.accepted_after_restart;
            while (load.accepted_after_restart == before)  // forever, if the store did not reconnect
                co_await sleep(10ms);
            co_await sleep(1500ms);
        }
        load.over = true;
        co_await group.join();
        EXPECT_GT(load.acknowledged.size(), 50U);
        EXPECT_GT(load.nonces.size(), 50U);
        fmt::print("{} accepted, {} allocated, {} calls failed\n", load.acknowledged.size(), load.nonces.size(),
                   load.failures);
        expect_acknowledged_there(load);
        expect_nothing_twice();
    }
};

INSTANTIATE_TEST_SUITE_P(, KillUnderLoad, testing::Values(restartable_postgres()),
                         [](const auto&) { return "postgres"; });

TEST_P(KillUnderLoad, KeepsAcknowledgedWritesExactlyOnce) { run(killed_twice()); }

}  // namespace
}  // namespace fencepost::race
