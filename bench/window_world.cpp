#include "window_world.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/uuid.hpp"
#include "lane/host/lane_host.hpp"
#include "lane/prepare/builder.hpp"
#include "sim/chain/sim_chain.hpp"
#include "sim/chain/sim_network.hpp"
#include "sim/chain/sim_signer.hpp"
#include "sim/world.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::bench {
namespace {

/// Prints the lanes' log lines while a single burst is observed.
class PrintedLog final : public Log {
public:
    explicit PrintedLog(const sim::World& world) : world_(world) {}
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        if (!on || severity == Severity::debug) return;
        fmt::print("  {:>9.3f} {}", std::chrono::duration<double>(world_.now().time_since_epoch()).count(), message);
        for (const auto& field : fields)
            fmt::print(" {}={}", field.name, field.value);
        fmt::print("\n");
    }
    [[nodiscard]] bool enabled(Severity severity) const override { return on && severity != Severity::debug; }

    bool on = false;

private:
    const sim::World& world_;
};

class WindowWorld {
public:
    explicit WindowWorld(const Burst& burst)
        : burst_(burst),
          network_(world_, {.ledger = {.base_fee = Wei(7),
                                       .base_fee_is_fixed = !burst.base_fee_moves,
                                       .gas_limit = Gas(block_gas)}}),
          signer_(network_.ledger().options().chain_id, 1, &network_.ledger().cache()),
          store_(open_store()) {
        for (const auto& endpoint : burst.endpoints)
            network_.add_endpoint(endpoint);
        if (burst.has_sequencer) network_.add_sequencer({.name = "sequencer"});
        for (std::size_t i = 0; i < burst.submitters; ++i) {
            submitters_.push_back(signer_.submitter(i));
            const Address address = *submitters_.back().evm_address();
            network_.ledger().fund(address, Uint256(1'000'000'000'000'000'000) * Uint256(1'000));
            by_sender_.emplace(address, i);
        }
        if (burst.uneven) age_accounts();
        chain_ = std::make_unique<sim::SimChain>(node_, network_);
        host_ = std::make_unique<lane::LaneHost>(node_.executor(), NodeId("node/1"),
                                                 lane::LaneHost::Dependencies{.leases = *store_,
                                                                              .store = *store_,
                                                                              .commands = *store_,
                                                                              .headers = *store_,
                                                                              .signer = signer_,
                                                                              .builder = builder_,
                                                                              .clock = clock_,
                                                                              .telemetry = telemetry_,
                                                                              .log = log_});
        host_->add_chain(*chain_);
        world_.spawn(node_, host_->run());
        network_.record().watch([this](const sim::WireEntry& entry) { note_sent(entry); });
    }
    ~WindowWorld() { world_.kill(node_); }
    WindowWorld(const WindowWorld&) = delete;
    WindowWorld& operator=(const WindowWorld&) = delete;

    BurstResult run(std::uint64_t max_blocks, bool verbose) {
        log_.on = verbose;
        accept_all();
        for (const auto& submitter : submitters_)
            host_->open(submitter, {.window = burst_.window, .confirmations_required = 2});
        world_.run_for(std::chrono::seconds(1));
        BurstResult result;
        while (all_mined_ < total_ && result.blocks < max_blocks) {
            const bool was_half = is_half();
            const auto& block = network_.mine();
            note_mined(block, ++result.blocks);
            if (verbose) {
                fmt::print("  block {:>4}: {:>5} mined, {:>6} of {}, pool {}\n", result.blocks,
                           block.transactions.size(), all_mined_, total_, network_.endpoint(0).pool().size());
            }
            if (is_half() && !was_half) {
                note_shares(result);
                if (burst_.restarts) network_.restart(network_.endpoint(0));
            }
            world_.run_for(burst_.block_interval);
        }
        note_end(result);
        return result;
    }

private:
    std::unique_ptr<store::SqliteStore> open_store() {
        auto opened = store::SqliteStore::open(
            {.path = ":memory:", .now = [this] { return world_.unix_now(); }, .execution = store::Execution::in_place});
        FP_ASSERT(opened, "cannot open an in-memory store");
        return std::move(*opened);
    }

    template <typename T>
    static Task<void> keep(Task<T> task, std::optional<T>* result) {
        *result = co_await std::move(task);
    }
    /// Runs a store call outside virtual time: it completes at once.
    template <typename T>
    static T get(Task<T> task) {
        asio::io_context context;
        std::optional<T> result;
        asio::co_spawn(context, keep(std::move(task), &result), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
        context.run();
        return *std::move(result);
    }

    void accept_all() {
        const Intent transfer{
            .to = "0x00000000000000000000000000000000000000aa", .value = Wei(1), .gas_limit = Gas(21'000)};
        for (std::size_t i = 0; i < burst_.each; ++i) {
            std::vector<NewIntent> intents;
            for (const auto& submitter : submitters_) {
                const TxId id(ids_.next(world_.unix_now(), random_.bits()));
                intents.push_back({id, submitter, RequestId(fmt::format("{}", i)), transfer});
            }
            FP_ASSERT(get(store_->accept(std::move(intents))), "not accepted");
        }
    }

    void age_accounts() {
        for (std::size_t i = 0; i < submitters_.size(); ++i)
            network_.ledger().set_nonce(*submitters_[i].evm_address(), Nonce(i * 37 % 5'000));
    }

    [[nodiscard]] bool is_half() const { return 2 * all_mined_ >= total_; }

    void note_mined(const sim::SimBlock& block, std::uint64_t number) {
        for (const auto& transaction : block.transactions) {
            const auto submitter = by_sender_.at(transaction->sender);
            if (++mined_[submitter] == burst_.each) done_at_[submitter] = number;
        }
        all_mined_ += block.transactions.size();
    }

    void note_shares(BurstResult& result) const {
        const auto [least, most] = std::ranges::minmax(mined_);
        const auto mean = static_cast<double>(all_mined_) / static_cast<double>(mined_.size());
        result.smallest_share = static_cast<double>(least) / mean;
        result.largest_share = static_cast<double>(most) / mean;
    }

    void note_end(BurstResult& result) {
        result.finished = all_mined_ == total_;
        std::ranges::sort(done_at_);
        result.slowest = done_at_.back();
        result.median = done_at_[done_at_.size() / 2];
        for (const auto& [hash, times] : sent_) {
            result.sends_per_tx += static_cast<double>(times) / static_cast<double>(total_);
            result.max_sends = std::max(result.max_sends, times);
        }
    }

    void note_sent(const sim::WireEntry& entry) {
        if (entry.endpoint == burst_.endpoints.front().name) ++sent_[entry.transaction.hash];
    }

    Burst burst_;
    std::size_t total_ = burst_.submitters * burst_.each;
    sim::World world_{1};
    sim::SimNetwork network_;
    sim::SimSigner signer_;
    std::unique_ptr<store::SqliteStore> store_;
    sim::SimNode& node_ = world_.start_node("node");
    sim::SimClock clock_{node_};
    NoTelemetry telemetry_;
    PrintedLog log_{world_};
    lane::IdentityBuilder builder_;
    sim::SeededRandom random_{1};
    UuidV7Generator ids_;
    std::vector<SubmitterId> submitters_;
    std::map<Address, std::size_t> by_sender_;
    std::unordered_map<TxHash, std::size_t> sent_;
    std::size_t all_mined_ = 0;
    std::vector<std::size_t> mined_ = std::vector<std::size_t>(burst_.submitters);
    std::vector<std::uint64_t> done_at_ = std::vector<std::uint64_t>(burst_.submitters);
    std::unique_ptr<sim::SimChain> chain_;
    std::unique_ptr<lane::LaneHost> host_;
};

}  // namespace

BurstResult run_burst(const Burst& burst, std::uint64_t max_blocks, bool verbose) {
    return WindowWorld(burst).run(max_blocks, verbose);
}

}  // namespace fencepost::bench
