// The simulated chain in virtual time: it keeps the same contract as real ones, since the scenarios build on it.
#include <utility>

#include "chain_fixture.hpp"
#include "sim/chain/sim_chain.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

class SimulatedChain final : public ChainUnderTest {
public:
    SimulatedChain()
        : network_(world_),
          endpoint_(network_.add_endpoint({.name = "node"})),
          node_(world_.start_node("under test")),
          clock_(node_),
          chain_(node_, network_) {}

    Executor executor() override { return node_.executor(); }
    Clock& clock() override { return clock_; }
    void drive(Task<void> task) override {
        world_.spawn(node_, std::move(task));
        world_.run_for(10min);
    }

    Chain& chain() override { return chain_; }
    Task<void> start() override { co_return; }
    // Automining: mines as soon as it is polled.
    Task<void> run() override {
        for (;;) {
            co_await clock_.sleep_for(10ms);
            if (automine_ && endpoint_.pool().size() > 0) network_.mine();
        }
    }
    Task<void> fund(SubmitterId account, Wei wei) override {
        network_.ledger().fund(*account.evm_address(), wei.value());
        co_return;
    }
    Task<void> set_automine(bool on) override {
        automine_ = on;
        co_return;
    }
    Task<void> mine(std::size_t blocks) override {
        network_.mine(blocks);
        co_return;
    }
    Task<void> reorg(std::size_t depth) override {
        network_.reorg({.depth = depth, .fate = sim::Reorg::Fate::dropped});
        co_return;
    }
    Task<void> drop(TxHash hash) override {
        network_.evict(hash);
        co_return;
    }
    void stall() override { endpoint_.options().faults = {.sends_lost = 1'000, .reads_timed_out = 1'000}; }
    void resume() override { endpoint_.options().faults = {}; }
    std::optional<std::string> contract_that_reverts() override {
        Address contract;
        contract.data.fill(7);
        network_.ledger().add_contract(contract, sim::always_reverts("no"));
        return contract.to_lower();
    }
    // As geth, where anvil and hardhat differ; and it explains what is wrong with bytes that are not a transaction.
    NodeBehaviour behaviour() const override {
        return {.to_a_low_fee = SendOutcome::price_floor, .to_garbage = SendOutcome::rejected, .shows_mempool = true};
    }

private:
    sim::World world_{1};
    sim::SimNetwork network_;
    sim::SimEndpoint& endpoint_;
    sim::SimNode& node_;
    sim::SimClock clock_;
    sim::SimChain chain_;
    bool automine_ = true;
};

}  // namespace

std::unique_ptr<ChainUnderTest> make_simulated() { return std::make_unique<SimulatedChain>(); }

}  // namespace fencepost::contract
