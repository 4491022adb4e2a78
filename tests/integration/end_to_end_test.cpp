// End to end on real components: lanes, store and node, automine off, a reorg in the middle. Then the chain itself is
// read: each intent once, nonces contiguous, store equal to chain.
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "base/text/hex.hpp"
#include "real_world.hpp"

namespace fencepost::integration {
namespace {

using namespace std::chrono_literals;
using test::DevNodeKind;

struct Load {
    std::size_t submitters;
    std::size_t transactions;  // of each submitter
};

struct Parts {
    const char* name;
    const char* store;
    DevNodeKind node;
    Load load;
};

class EndToEnd : public testing::TestWithParam<Parts> {
protected:
    EndToEnd() : world_({.store = GetParam().store, .node = GetParam().node, .accounts = GetParam().load.submitters}) {}

    void run() { world_.run(whole()); }

private:
    Task<void> whole() {
        TaskGroup miner(world_.executor());
        miner.spawn(mine_blocks());
        co_await accept_all();
        co_await reorg_in_the_middle();
        const bool all = co_await settled(total(), 240s);
        EXPECT_TRUE(all) << "not everything settled: " << co_await what_waits();
        miner.cancel();
        co_await miner.join();
        co_await count_the_chain();
    }

    // Development nodes drop their mempool in a reorg: pending transactions are resent after the interval.
    void open_lanes() {
        for (const auto& submitter : world_.submitters())
            world_.host().open(submitter, {.window = 64, .confirmations_required = 4, .resubmit_interval = 2s});
    }

    Task<std::string> what_waits() {
        std::string text;
        for (const auto& submitter : world_.submitters()) {
            const auto view = (co_await world_.store().submitter(submitter)).value();
            for (const auto& [state, number] : view.counts)
                if (!is_final(state)) text += fmt::format("\n{}: {} {}", submitter, number, name_of(state));
            text += fmt::format(" {} {}", name_of(view.status.status), view.status.reason);
        }
        co_return text;
    }

    [[nodiscard]] std::size_t total() const { return GetParam().load.submitters * GetParam().load.transactions; }

    // A reorg removes the last blocks that were mined one by one, so one task does both mining and reorgs.
    Task<void> mine_blocks() {
        while (true) {
            if (std::exchange(reorg_wanted_, false)) co_await world_.dev().reorg(3);
            co_await world_.dev().mine(1);
            co_await world_.clock().sleep_for(100ms);
        }
    }

    Task<void> accept_all() {
        std::vector<NewIntent> batch;
        for (std::size_t i = 0; i < GetParam().load.transactions; ++i) {
            for (std::size_t s = 0; s < world_.submitters().size(); ++s) {
                // The value identifies the intent on the chain.
                batch.push_back({world_.new_id(),
                                 world_.submitters()[s],
                                 RequestId(fmt::format("{}-{}", s, i)),
                                 {.to = "0x00000000000000000000000000000000000000aa", .value = Wei(i + 1)}});
            }
        }
        const auto answers = co_await world_.store().accept(batch);
        for (const auto& answer : answers.value())
            EXPECT_EQ(answer.kind, AcceptKind::accepted);
    }

    Task<void> reorg_in_the_middle() {
        EXPECT_TRUE(co_await settled(total() / 4, 120s));
        reorg_wanted_ = true;
    }

    Task<bool> settled(std::size_t count, Duration at_most) {
        const auto deadline = world_.clock().monotonic() + at_most;
        while (world_.clock().monotonic() < deadline) {
            // As in a cluster: after a pause of the machine a lane may have lost its lease.
            open_lanes();
            std::size_t done = 0;
            for (const auto& submitter : world_.submitters()) {
                const auto view = co_await world_.store().submitter(submitter);
                for (const auto& [state, number] : view.value().counts)
                    if (is_final(state)) done += number;
            }
            if (done >= count) co_return true;
            co_await world_.clock().sleep_for(100ms);
        }
        co_return false;
    }

    Task<void> count_the_chain() {
        std::map<TxHash, BlockNumber> on_chain;
        const auto head = co_await world_.dev().call("eth_blockNumber", {});
        const auto height = Uint256::parse(std::string(head.as_string())).value().to_uint64().value();
        for (std::uint64_t number = 0; number <= height; ++number) {
            const auto block = co_await read_block(number);
            for (const auto& hash : block.as_object().at("transactions").as_array()) {
                const auto bytes = from_hex(std::string(hash.as_string())).value();
                EXPECT_TRUE(on_chain.emplace(*TxHash::from(bytes), BlockNumber(number)).second) << "twice";
            }
        }
        for (const auto& submitter : world_.submitters())
            co_await compare(submitter, &on_chain);
        EXPECT_TRUE(on_chain.empty()) << on_chain.size() << " transactions on the chain match no intent";
    }

    Task<boost::json::value> read_block(std::uint64_t number) {
        return world_.dev().call("eth_getBlockByNumber", {Uint256(number).to_quantity(), false});
    }

    Task<void> compare(SubmitterId submitter, std::map<TxHash, BlockNumber>* on_chain) {
        std::set<Nonce> nonces;
        std::uint64_t value = 0;
        AcceptSequence after{};
        while (true) {
            const auto page =
                (co_await world_.store().list({.submitter = submitter, .after = after, .limit = 500})).value();
            if (page.empty()) break;
            after = page.back().sequence;
            for (const auto& tx : page) {
                EXPECT_EQ(tx.position, (Position{State::confirmed, SubState::none})) << tx.error;
                EXPECT_EQ(tx.intent.value, Wei(++value));
                EXPECT_EQ(tx.nonce, Nonce(value - 1)) << "in the order of acceptance, without a gap";
                EXPECT_TRUE(nonces.insert(*tx.nonce).second);
                const auto found = on_chain->find(*tx.hash);
                EXPECT_NE(found, on_chain->end()) << "confirmed, but not on the chain";
                if (found == on_chain->end()) continue;
                EXPECT_EQ(found->second, tx.receipt->block_number);
                on_chain->erase(found);
            }
        }
        EXPECT_EQ(nonces.size(), GetParam().load.transactions);
    }

    RealWorld world_;
    bool reorg_wanted_ = false;
};

TEST_P(EndToEnd, ExecutesEachIntentOnceInOrderDespiteReorg) { run(); }

constexpr Load one_key{.submitters = 1, .transactions = 1'000};
constexpr Load many_keys{.submitters = 20, .transactions = 50};

INSTANTIATE_TEST_SUITE_P(On, EndToEnd,
                         testing::Values(Parts{"PostgresAnvilOneKey", "postgres", DevNodeKind::anvil, one_key},
                                         Parts{"PostgresAnvilManyKeys", "postgres", DevNodeKind::anvil, many_keys},
                                         Parts{"SqliteAnvilOneKey", "sqlite", DevNodeKind::anvil, one_key},
                                         Parts{"SqliteAnvilManyKeys", "sqlite", DevNodeKind::anvil, many_keys},
                                         Parts{"PostgresHardhatOneKey", "postgres", DevNodeKind::hardhat, one_key},
                                         Parts{"SqliteHardhatManyKeys", "sqlite", DevNodeKind::hardhat, many_keys}),
                         [](const auto& parts) { return parts.param.name; });

}  // namespace
}  // namespace fencepost::integration
