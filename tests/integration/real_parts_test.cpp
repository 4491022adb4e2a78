// The whole life on real parts: real lanes, a real store, a real node, automine off, a reorg in the middle. Afterwards
// the chain itself is read and counted: each intent once, nonces contiguous, store equal to chain.
#include <map>
#include <optional>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "base/task_group.hpp"
#include "codec/sign.hpp"
#include "evm/evm_chain.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "lane/lane_host.hpp"
#include "ports/log.hpp"
#include "signers/local_signer.hpp"
#include "store/store_fixture.hpp"
#include "support/dev_chain.hpp"
#include "system/system_clock.hpp"
#include "system/system_random.hpp"

namespace fencepost::integration {
namespace {

using namespace std::chrono_literals;
using test::DevNode;
using test::DevNodeKind;

struct Load {
    std::size_t submitters;
    std::size_t transactions;  // of each
};

struct Parts {
    const char* name;
    const char* store;
    DevNodeKind node;
    Load load;
};

class NoTelemetry final : public Telemetry {
    void count(Counter /*counter*/, std::string_view /*label*/, std::uint64_t /*by*/) override {}
};

codec::PrivateKey key(std::size_t number) {
    Bytes bytes(32, 0x11);
    bytes[30] = static_cast<std::uint8_t>(number / 256);
    bytes[31] = static_cast<std::uint8_t>(number % 256);
    return codec::PrivateKey::from_bytes(bytes).value();
}

class RealParts : public testing::TestWithParam<Parts> {
protected:
    RealParts()
        : node_(GetParam().node),
          dev_(context_.get_executor(), clock_, node_),
          store_(open_store()),
          chain_(context_.get_executor(), clock_, log_, telemetry_, ChainRef::evm(DevNode::chain_id), connections(),
                 {.pool = {.time_limit = 5s}, .follower = {.poll_interval = 50ms}}),
          signer_(keys()),
          host_(context_.get_executor(), NodeId("node-1"),
                {.leases = store_->a(),
                 .store = store_->a(),
                 .commands = store_->a(),
                 .headers = store_->a(),
                 .signer = signer_,
                 .builder = builder_,
                 .clock = clock_,
                 .telemetry = telemetry_,
                 .log = log_}) {
        host_.add_chain(chain_);
        for (std::size_t i = 0; i < GetParam().load.submitters; ++i)
            submitters_.push_back(SubmitterId::evm(DevNode::chain_id, key(i).address()));
    }

    void run() {
        std::exception_ptr failed;
        asio::co_spawn(context_, whole(), [&](const std::exception_ptr& error) { failed = error; });
        context_.run();
        if (failed) std::rethrow_exception(failed);
    }

private:
    static std::vector<codec::PrivateKey> keys() {
        std::vector<codec::PrivateKey> keys;
        for (std::size_t i = 0; i < GetParam().load.submitters; ++i)
            keys.push_back(key(i));
        return keys;
    }

    std::unique_ptr<contract::StoreUnderTest> open_store() {
        for (const auto& named : contract::all_stores())
            if (named.name == std::string_view(GetParam().store))
                return named.make(context_.get_executor(), clock_, random_);
        throw std::logic_error("there is no such store");
    }

    evm::Connections connections() {
        evm::Connections result;
        result.endpoints.push_back(
            {"node", std::make_unique<jsonrpc::HttpJsonRpc>(
                         context_.get_executor(), clock_,
                         jsonrpc::HttpJsonRpcOptions{.url = jsonrpc::Url::parse(node_.url()).value()})});
        return result;
    }

    Task<void> whole() {
        co_await dev_.start();
        co_await dev_.set_automine(false);
        for (const auto& submitter : submitters_)
            co_await dev_.fund(std::string(submitter.account()), Uint256::parse("1000000000000000000000000").value());
        co_await dev_.mine(5);

        TaskGroup beside(context_.get_executor());
        beside.spawn(chain_.run());
        beside.spawn(host_.run());
        beside.spawn(mine_blocks());
        co_await accept_all();
        // Development nodes forget their mempool in a reorg: what waited there is sent again after the interval.
        for (const auto& submitter : submitters_)
            host_.open(submitter, {.window = 64, .confirmations_required = 4, .resubmit_interval = 2s});
        co_await reorg_in_the_middle();
        EXPECT_TRUE(co_await settled(total(), 240s)) << "not everything settled";
        co_await host_.release_all();
        beside.cancel();
        co_await beside.join();
        co_await count_the_chain();
    }

    [[nodiscard]] std::size_t total() const { return GetParam().load.submitters * GetParam().load.transactions; }

    // A reorg takes away the last blocks that were mined one by one, so mining and reorgs are done by one task.
    Task<void> mine_blocks() {
        while (true) {
            if (std::exchange(reorg_wanted_, false)) co_await dev_.reorg(3);
            co_await dev_.mine(1);
            co_await clock_.sleep_for(100ms);
        }
    }

    Task<void> accept_all() {
        std::vector<NewIntent> batch;
        for (std::size_t i = 0; i < GetParam().load.transactions; ++i) {
            for (std::size_t s = 0; s < submitters_.size(); ++s) {
                // The value names the intent, so that it can be recognised on the chain.
                batch.push_back({TxId(ids_.next(clock_.unix_now(), random_.bits())),
                                 submitters_[s],
                                 RequestId(fmt::format("{}-{}", s, i)),
                                 {.to = "0x00000000000000000000000000000000000000aa", .value = Wei(i + 1)}});
            }
        }
        const auto answers = co_await store_->a().accept(batch);
        for (const auto& answer : answers.value())
            EXPECT_EQ(answer.kind, AcceptKind::accepted);
    }

    Task<void> reorg_in_the_middle() {
        EXPECT_TRUE(co_await settled(total() / 4, 120s));
        reorg_wanted_ = true;
    }

    Task<bool> settled(std::size_t count, Duration at_most) {
        const auto deadline = clock_.monotonic() + at_most;
        while (clock_.monotonic() < deadline) {
            std::size_t done = 0;
            for (const auto& submitter : submitters_) {
                const auto view = co_await store_->a().submitter(submitter);
                for (const auto& [state, number] : view.value().counts)
                    if (is_final(state)) done += number;
            }
            if (done >= count) co_return true;
            co_await clock_.sleep_for(100ms);
        }
        co_return false;
    }

    Task<void> count_the_chain() {
        std::map<TxHash, BlockNumber> on_chain;
        const auto head = co_await dev_.call("eth_blockNumber", {});
        const auto height = Uint256::parse(std::string(head.as_string())).value().to_uint64().value();
        for (std::uint64_t number = 0; number <= height; ++number) {
            const auto block = co_await read_block(number);
            for (const auto& hash : block.as_object().at("transactions").as_array()) {
                const auto bytes = from_hex(std::string(hash.as_string())).value();
                EXPECT_TRUE(on_chain.emplace(*TxHash::from(bytes), BlockNumber(number)).second) << "twice";
            }
        }
        for (const auto& submitter : submitters_)
            co_await compare(submitter, &on_chain);
        EXPECT_TRUE(on_chain.empty()) << on_chain.size() << " transactions on the chain are nobody's";
    }

    Task<boost::json::value> read_block(std::uint64_t number) {
        return dev_.call("eth_getBlockByNumber", {Uint256(number).to_quantity(), false});
    }

    Task<void> compare(SubmitterId submitter, std::map<TxHash, BlockNumber>* on_chain) {
        std::set<Nonce> nonces;
        std::uint64_t value = 0;
        AcceptSequence after{};
        while (true) {
            const auto page =
                (co_await store_->a().list({.submitter = submitter, .after = after, .limit = 500})).value();
            if (page.empty()) break;
            after = page.back().sequence;
            for (const auto& tx : page) {
                EXPECT_EQ(tx.position, (Position{State::confirmed, SubState::none})) << tx.error;
                EXPECT_EQ(tx.intent.value, Wei(++value));
                EXPECT_EQ(tx.nonce, Nonce(value - 1)) << "in the order of acceptance, without a gap";
                EXPECT_TRUE(nonces.insert(*tx.nonce).second);
                const auto found = on_chain->find(*tx.hash);
                EXPECT_NE(found, on_chain->end()) << "confirmed, and not on the chain";
                if (found == on_chain->end()) continue;
                EXPECT_EQ(found->second, tx.receipt->block_number);
                on_chain->erase(found);
            }
        }
        EXPECT_EQ(nonces.size(), GetParam().load.transactions);
    }

    asio::io_context context_;
    SystemClock clock_;
    SystemRandom random_;
    NoLog log_;
    NoTelemetry telemetry_;
    DevNode node_;
    test::DevChain dev_;
    std::unique_ptr<contract::StoreUnderTest> store_;
    evm::EvmChain chain_;
    signers::LocalSigner signer_;
    lane::AsDrafted builder_;
    lane::LaneHost host_;
    std::vector<SubmitterId> submitters_;
    UuidV7Generator ids_;
    bool reorg_wanted_ = false;
};

TEST_P(RealParts, EachIntentIsExecutedOnceInOrderWithAReorgInTheMiddle) { run(); }

constexpr Load one_key{.submitters = 1, .transactions = 1'000};
constexpr Load many_keys{.submitters = 20, .transactions = 50};

INSTANTIATE_TEST_SUITE_P(On, RealParts,
                         testing::Values(Parts{"PostgresAnvilOneKey", "postgres", DevNodeKind::anvil, one_key},
                                         Parts{"PostgresAnvilManyKeys", "postgres", DevNodeKind::anvil, many_keys},
                                         Parts{"SqliteAnvilOneKey", "sqlite", DevNodeKind::anvil, one_key},
                                         Parts{"SqliteAnvilManyKeys", "sqlite", DevNodeKind::anvil, many_keys},
                                         Parts{"PostgresHardhatOneKey", "postgres", DevNodeKind::hardhat, one_key},
                                         Parts{"SqliteHardhatManyKeys", "sqlite", DevNodeKind::hardhat, many_keys}),
                         [](const auto& parts) { return parts.param.name; });

}  // namespace
}  // namespace fencepost::integration
