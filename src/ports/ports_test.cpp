// Minimal implementations of each port, so that a port that cannot be implemented, or does not compile on its own, is
// detected here.
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/connectors.hpp"
#include "ports/log.hpp"
#include "ports/signer.hpp"
#include "ports/store/store.hpp"
#include "ports/telemetry.hpp"

namespace fencepost {
namespace {

class NoStore : public Store {
public:
    template <typename T>
    using Answer = Task<Result<T, StoreError>>;

    Answer<std::vector<AcceptAnswer>> accept(std::vector<NewIntent> /*batch*/) override {
        return no<std::vector<AcceptAnswer>>();
    }
    Answer<OpenAnswer> open(SubmitterId /*s*/, NodeId /*n*/, Duration /*d*/) override { return no<OpenAnswer>(); }
    Answer<std::vector<LeaseResult>> renew(std::vector<LeaseClaim> /*c*/, Duration /*d*/) override {
        return no<std::vector<LeaseResult>>();
    }
    Answer<void> release(std::vector<LeaseClaim> /*claims*/) override { return no<void>(); }
    Answer<std::vector<WriteAnswer>> write(std::vector<LaneWrite> /*batch*/) override {
        return no<std::vector<WriteAnswer>>();
    }
    Answer<LaneState> load(SubmitterId /*s*/) override { return no<LaneState>(); }
    Answer<LaneState> load_block(SubmitterId /*s*/, SettledBlock /*b*/) override { return no<LaneState>(); }
    Answer<std::vector<QueuedIntent>> head_of_queue(SubmitterId /*s*/, AcceptSequence /*from*/,
                                                    std::size_t /*n*/) override {
        return no<std::vector<QueuedIntent>>();
    }
    Answer<std::vector<RecentAllocation>> allocated_within(SubmitterId /*s*/, Duration /*window*/) override {
        return no<std::vector<RecentAllocation>>();
    }
    Answer<std::vector<SubmitterBacklog>> backlogs(NodeId /*owner*/) override {
        return no<std::vector<SubmitterBacklog>>();
    }
    Answer<CommandSequence> post(Command /*command*/) override { return no<CommandSequence>(); }
    Answer<std::vector<Command>> pending(SubmitterId /*s*/) override { return no<std::vector<Command>>(); }
    Answer<std::vector<LoggedEvent>> read_after(EventPosition /*p*/, std::size_t /*n*/) override {
        return no<std::vector<LoggedEvent>>();
    }
    Answer<void> record(ChainRef /*chain*/, std::vector<BlockRef> /*blocks*/) override { return no<void>(); }
    Answer<std::vector<BlockRef>> between(ChainRef /*c*/, BlockNumber /*first*/, BlockNumber /*last*/) override {
        return no<std::vector<BlockRef>>();
    }
    Answer<void> prune_below(ChainRef /*chain*/, BlockNumber /*number*/) override { return no<void>(); }
    Answer<void> heartbeat(NodeId /*node*/, std::string /*address*/, NodeAbility /*ability*/) override {
        return no<void>();
    }
    Answer<void> leave(NodeId /*node*/) override { return no<void>(); }
    Answer<std::vector<NodeInfo>> live(Duration /*within*/) override { return no<std::vector<NodeInfo>>(); }
    Answer<std::optional<TxView>> by_id(TxId /*id*/) override { return no<std::optional<TxView>>(); }
    Answer<std::optional<TxView>> by_request(SubmitterId /*s*/, RequestId /*r*/) override {
        return no<std::optional<TxView>>();
    }
    Answer<std::optional<TxView>> by_hash(TxHash /*hash*/) override { return no<std::optional<TxView>>(); }
    Answer<std::vector<TxView>> list(TxFilter /*filter*/) override { return no<std::vector<TxView>>(); }
    Answer<std::vector<Attempt>> attempts(TxId /*id*/) override { return no<std::vector<Attempt>>(); }
    Answer<std::vector<HistoryEntry>> history(TxId /*id*/) override { return no<std::vector<HistoryEntry>>(); }
    Answer<std::vector<BlockRef>> stored_confirmations(TxId /*id*/) override { return no<std::vector<BlockRef>>(); }
    Answer<SubmitterView> submitter(SubmitterId /*s*/) override { return no<SubmitterView>(); }
    Answer<std::vector<SubmitterId>> submitters(std::string /*after*/, std::size_t /*limit*/) override {
        return no<std::vector<SubmitterId>>();
    }
    Answer<std::vector<UnfinishedSubmitter>> unfinished_submitters() override {
        return no<std::vector<UnfinishedSubmitter>>();
    }
    Answer<std::optional<Nonce>> lowest_recyclable(SubmitterId /*s*/, Nonce /*from*/) override {
        return no<std::optional<Nonce>>();
    }
    Answer<Reservation> reserve(SubmitterId /*s*/, Fence /*f*/, LockOwner /*o*/, NonceBounds /*b*/,
                                Duration /*t*/) override {
        return no<Reservation>();
    }
    Answer<WriteAnswer> mark_in_flight(SubmitterId /*s*/, Fence /*f*/, LockOwner /*o*/, Nonce /*n*/,
                                       TxHash /*h*/) override {
        return no<WriteAnswer>();
    }
    Answer<Alignment> align(SubmitterId /*s*/, Fence /*f*/, Nonce /*n*/) override { return no<Alignment>(); }
    Answer<WriteAnswer> mark_used(SubmitterId /*s*/, Fence /*f*/, LockOwner /*o*/, Nonce /*n*/, TxHash /*h*/) override {
        return no<WriteAnswer>();
    }
    Answer<WriteAnswer> mark_recyclable(SubmitterId /*s*/, Fence /*f*/, LockOwner /*o*/, Nonce /*n*/,
                                        std::string /*reason*/) override {
        return no<WriteAnswer>();
    }
    Answer<AllocationCounts> allocations(SubmitterId /*s*/) override { return no<AllocationCounts>(); }

private:
    template <typename T>
    static Answer<T> no() {
        co_return err(StoreError::unavailable);
    }
};

class NoChain : public Chain {
public:
    template <typename T>
    using Answer = Task<RpcResult<T>>;
    using Receipts = Task<std::vector<RpcResult<std::optional<Receipt>>>>;

    explicit NoChain(ChainRef ref) : ref_(std::move(ref)) {}

    [[nodiscard]] const ChainRef& ref() const override { return ref_; }
    Task<std::vector<SendReport>> send(SendBatch batch) override {
        co_return std::vector<SendReport>(batch.items.size());
    }
    Answer<std::vector<PoolView>> query_pools(SubmitterId /*s*/, std::vector<PoolQuery> /*q*/) override {
        co_return std::vector<PoolView>{};
    }
    Answer<bool> is_delegated(SubmitterId /*s*/) override { co_return false; }
    Receipts receipts(std::vector<TxHash> hashes, Evidence /*e*/) override { return none_of(hashes.size()); }
    Receipts receipts_in(BlockRef /*b*/, std::vector<TxHash> hashes) override { return none_of(hashes.size()); }
    Answer<std::optional<Block>> block(BlockNumber /*n*/, Evidence /*e*/) override { co_return std::nullopt; }
    Answer<std::optional<Block>> block(BlockHash /*hash*/) override { co_return std::nullopt; }
    Answer<Nonce> transaction_count(SubmitterId /*s*/, At /*at*/) override { return no<Nonce>(); }
    Answer<AccountCounts> counts(SubmitterId /*s*/) override { return no<AccountCounts>(); }
    Answer<Wei> balance(SubmitterId /*s*/, At /*at*/) override { return no<Wei>(); }
    Answer<GasEstimate> estimate_gas(Call /*call*/, At /*at*/) override { return no<GasEstimate>(); }
    Answer<Fees> fees(Speed /*speed*/) override { return no<Fees>(); }
    std::unique_ptr<HeadStream> heads() override { return nullptr; }
    Answer<std::optional<TxLocation>> find(TxHash /*hash*/) override { co_return std::nullopt; }
    Answer<std::optional<TxHash>> pending_at(SubmitterId /*s*/, Nonce /*n*/) override { co_return std::nullopt; }
    Answer<NonceUse> find_nonce_use(SubmitterId /*s*/, Nonce /*n*/) override { return no<NonceUse>(); }
    Answer<std::string> failure_reason(Receipt /*r*/) override { return no<std::string>(); }

private:
    template <typename T>
    static Answer<T> no() {
        co_return err(RpcError{.kind = RpcError::Kind::unreachable, .what = "no chain"});
    }
    static Receipts none_of(std::size_t count) {
        co_return std::vector<RpcResult<std::optional<Receipt>>>(count, std::nullopt);
    }

    ChainRef ref_;
};

class NoSigner : public Signer {
public:
    [[nodiscard]] bool can_sign_for(const SubmitterId& /*submitter*/) const override { return false; }
    Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction /*transaction*/) override {
        co_return err(SignError{.kind = SignError::Kind::no_key, .what = "no signer"});
    }
};

class CountingTelemetry : public Telemetry {
public:
    void count(Counter counter, std::string_view label, std::uint64_t by) override {
        counts[{counter, std::string(label)}] += by;
    }
    std::map<std::pair<Counter, std::string>, std::uint64_t> counts;
};

TEST(Ports, EachCanBeImplemented) {
    // Through the base class, which also tests its destructor.
    const std::unique_ptr<Store> store = std::make_unique<NoStore>();
    const std::unique_ptr<Chain> chain = std::make_unique<NoChain>(ChainRef::evm(1));
    const std::unique_ptr<Signer> signer = std::make_unique<NoSigner>();
    EXPECT_FALSE(signer->can_sign_for(SubmitterId::evm(1, {})));
    EXPECT_EQ(chain->heads(), nullptr);
}

TEST(Connectors, SelectsTheConnectorByNamespace) {
    Connectors connectors;
    connectors.add("eip155", [](const ChainRef& ref) { return std::make_unique<NoChain>(ref); });
    connectors.add("dummy", [](const ChainRef& ref) { return std::make_unique<NoChain>(ref); });

    const auto chain = connectors.connect(ChainRef::parse("dummy:main").value());
    ASSERT_TRUE(chain);
    EXPECT_EQ((*chain)->ref().to_string(), "dummy:main");
}

TEST(Connectors, ErrorNamesAnUnservedFamily) {
    const auto chain = Connectors{}.connect(ChainRef::parse("solana:main").value());
    ASSERT_FALSE(chain);
    EXPECT_EQ(chain.error().what, "no connector for chains of the family \"solana\" (asked for solana:main)");
}

TEST(Telemetry, CountsByLabel) {
    CountingTelemetry telemetry;
    Telemetry& port = telemetry;
    port.count(Counter::lease_acquire, name_of(LeaseResult::taken_over));
    port.count(Counter::lease_acquire, name_of(LeaseResult::taken_over), 2);
    EXPECT_EQ((telemetry.counts[{Counter::lease_acquire, "taken_over"}]), 3U);
}

TEST(Telemetry, NamesAreAsRequired) {
    EXPECT_EQ(name_of(Counter::confirmations_new_fork), "confirmations_new_fork_total");
    EXPECT_EQ(label_of(Counter::lease_fenced), "operation");
    EXPECT_EQ(label_of(Counter::stuck_decision), "action");
    EXPECT_EQ(label_of(Counter::confirmations_new_fork), "");
    EXPECT_EQ(label_of(Counter::tx_submit), "result");
    EXPECT_EQ(name_of(Counter::rpc_call), "rpc_call_total");
    EXPECT_EQ(label_of(Counter::rpc_call), "result");
    EXPECT_EQ(label_of(Counter::nonce_reserved), "source");
    EXPECT_EQ(label_of(Counter::nonce_used), "submitter");
    EXPECT_EQ(label_of(Counter::lease_token_jump), "");
    EXPECT_EQ(name_of(Latency::receipt_query), "receipt_query_seconds");
    EXPECT_EQ(name_of(Latency::accept_to_final), "accept_to_final_seconds");
}

}  // namespace
}  // namespace fencepost
