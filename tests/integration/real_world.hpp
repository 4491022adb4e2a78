// Builds the real components once for all tests of this folder: a development node, a store, and one Fencepost node
// with its lanes. Blocks are made only when a test says so.
#pragma once

#include <memory>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "codec/sign.hpp"
#include "evm/evm_chain.hpp"
#include "lane/host/lane_host.hpp"
#include "signers/local_signer.hpp"
#include "store/store_fixture.hpp"
#include "support/dev_chain.hpp"
#include "system/system_clock.hpp"
#include "system/system_random.hpp"

namespace fencepost::integration {

struct WorldOptions {
    const char* store = "postgres";
    test::DevNodeKind node = test::DevNodeKind::anvil;
    /// Number of funded accounts.
    std::size_t accounts = 1;
};

/// The key of the account with this number.
[[nodiscard]] codec::PrivateKey key_of(std::size_t number);

class RealWorld {
public:
    explicit RealWorld(const WorldOptions& options);
    ~RealWorld();
    RealWorld(const RealWorld&) = delete;
    RealWorld& operator=(const RealWorld&) = delete;

    /// Runs the body to its end, with the chain followed and lanes open. Rethrows its exception.
    void run(Task<void> body);

    [[nodiscard]] Executor executor() { return context_.get_executor(); }
    [[nodiscard]] Clock& clock() { return clock_; }
    [[nodiscard]] Store& store() { return store_->a(); }
    [[nodiscard]] test::DevChain& dev() { return dev_; }
    [[nodiscard]] const test::DevNode& node() const { return node_; }
    [[nodiscard]] Chain& chain() { return chain_; }
    [[nodiscard]] lane::LaneHost& host() { return host_; }
    [[nodiscard]] const std::vector<SubmitterId>& submitters() const { return submitters_; }
    [[nodiscard]] TxId new_id() { return TxId(ids_.next(clock_.unix_now(), random_.bits())); }

private:
    [[nodiscard]] std::unique_ptr<contract::StoreUnderTest> open_store(const char* name);
    [[nodiscard]] evm::Connections connections();
    [[nodiscard]] Task<void> live(Task<void> body);

    asio::io_context context_;
    SystemClock clock_;
    SystemRandom random_;
    NoLog log_;
    NoTelemetry telemetry_;
    test::DevNode node_;
    test::DevChain dev_;
    std::unique_ptr<contract::StoreUnderTest> store_;
    evm::EvmChain chain_;
    signers::LocalSigner signer_;
    lane::IdentityBuilder builder_;
    lane::LaneHost host_;
    std::vector<SubmitterId> submitters_;
    UuidV7Generator ids_;
};

}  // namespace fencepost::integration
