// A node's chain and lane store, exact unless the run has a mutant that breaks them. Each mutant does what a careless
// implementation would do, wrapped around the real one.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "ports/store/lane_store.hpp"
#include "sim/chain/sim_chain.hpp"
#include "sim/chain/sim_signer.hpp"
#include "sim/simulation/mutant.hpp"

namespace fencepost::sim {

/// The unsigned fields of a decoded transaction, to be changed and signed again.
[[nodiscard]] UnsignedTransaction unsigned_of(const SimTx& bytes);

class MutatedChain final : public SimChain {
public:
    MutatedChain(SimNode& node, SimNetwork& network, SimSigner& signer, Mutant mutant, SimChainOptions options)
        : SimChain(node, network, options),
          node_(node),
          network_(network),
          signer_(signer),
          mutant_(mutant) {}

    [[nodiscard]] Task<std::vector<SendReport>> send(SendBatch batch) override;
    [[nodiscard]] std::unique_ptr<HeadStream> heads() override;
    [[nodiscard]] Task<RpcResult<AccountCounts>> counts(SubmitterId submitter) override;

private:
    [[nodiscard]] Bytes with_next_nonce(const Bytes& raw);
    /// For each gap filler in the batch, the transaction it replaced.
    [[nodiscard]] SendBatch originals_of(const SendBatch& batch);

    SimNode& node_;
    SimNetwork& network_;
    SimSigner& signer_;
    Mutant mutant_;
    std::map<std::pair<Address, Nonce>, Bytes> originals_;
};

/// Mutant "an endpoint that does not know our head has a different one": sometimes reports the head as removed, and
/// then restores it.
class FlappingHeads final : public HeadStream {
public:
    FlappingHeads(SimNode& node, std::unique_ptr<HeadStream> heads) : clock_(node), heads_(std::move(heads)) {}
    [[nodiscard]] Task<HeadEvent> next() override;

private:
    SimClock clock_;
    std::unique_ptr<HeadStream> heads_;
    std::shared_ptr<const Block> head_;
    std::optional<HeadEvent> deferred_;
    std::uint64_t reported_ = 0;
};

class MutatedLaneStore final : public LaneStore {
public:
    MutatedLaneStore(LaneStore& store, SimNetwork& network, SimSigner& signer, Mutant mutant)
        : store_(store),
          network_(network),
          signer_(signer),
          mutant_(mutant) {}

    [[nodiscard]] Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) override;
    [[nodiscard]] Task<Result<LaneState, StoreError>> load(SubmitterId submitter) override;
    [[nodiscard]] Task<Result<LaneState, StoreError>> load_block(SubmitterId submitter, SettledBlock block) override;
    [[nodiscard]] Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter,
                                                                                    AcceptSequence from,
                                                                                    std::size_t limit) override {
        return store_.head_of_queue(std::move(submitter), from, limit);
    }
    [[nodiscard]] Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId submitter,
                                                                                           Duration window) override {
        return store_.allocated_within(std::move(submitter), window);
    }

private:
    /// Corrupts a write as a careless implementation would.
    void corrupt(LaneWrite& write);
    void corrupt(TxUpdate& update);
    /// Makes a replacement that ignores the nodes' replacement rule, or the intent it replaces.
    void corrupt_bump(Attempt& attempt, const Fees& offered);
    /// A premature write after this one: it treats a receipt, a mined block, silence or an answer as final.
    [[nodiscard]] std::optional<LaneWrite> premature_write(const LaneWrite& write) const;
    [[nodiscard]] std::optional<TxUpdate> premature_verdict(const TxUpdate& update) const;
    [[nodiscard]] std::optional<TxUpdate> premature_gap_filler(const SubmitterId& submitter,
                                                               const TxUpdate& update) const;
    [[nodiscard]] std::optional<Nonce> prematurely_recycled(const TxUpdate& update) const;

    LaneStore& store_;
    SimNetwork& network_;
    SimSigner& signer_;
    Mutant mutant_;
    std::map<TxId, Fees> offered_;
    std::map<TxHash, TxId> fillers_;
    std::map<TxId, Nonce> nonces_;
    std::map<SubmitterId, Nonce> cursors_;
    std::map<SubmitterId, LaneState> states_;
    std::uint64_t cursor_moves_ = 0;
};

}  // namespace fencepost::sim
