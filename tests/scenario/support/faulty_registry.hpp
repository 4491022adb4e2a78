// A node's handle on the cluster registry and the work queries: heartbeats can be lost, and the node cut off.
#pragma once

#include <stdexcept>
#include <utility>

#include "ports/store/nodes.hpp"
#include "ports/store/queries.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::scenario {

class FaultyRegistry final : public Queries, public Nodes {
public:
    explicit FaultyRegistry(store::SqliteStore& store) : store_(store) {}

    /// Loses heartbeats; everything else reaches the database.
    void lose_heartbeats(bool lose) { lose_heartbeats_ = lose; }
    void cut_off(bool cut) { cut_off_ = cut; }
    /// The next heartbeat and the next poll throw, which violates the port's contract.
    void throw_once() { throw_beat_ = throw_look_ = true; }
    [[nodiscard]] std::size_t looks() const { return looks_; }

    Task<Status<StoreError>> heartbeat(NodeId node, std::string address, NodeAbility ability) override {
        if (std::exchange(throw_beat_, false)) throw std::runtime_error("an injected error in the heartbeat");
        if (cut_off_ || lose_heartbeats_) co_return err(StoreError::unavailable);
        co_return co_await store_.heartbeat(std::move(node), std::move(address), std::move(ability));
    }
    Task<Status<StoreError>> leave(NodeId node) override {
        if (cut_off_) co_return err(StoreError::unavailable);
        co_return co_await store_.leave(std::move(node));
    }
    Task<Result<std::vector<NodeInfo>, StoreError>> live(Duration within) override {
        if (cut_off_) co_return err(StoreError::unavailable);
        co_return co_await store_.live(within);
    }
    Task<Result<std::vector<UnfinishedSubmitter>, StoreError>> unfinished_submitters() override {
        ++looks_;
        if (std::exchange(throw_look_, false)) throw std::runtime_error("an injected error in the poll");
        if (cut_off_) co_return err(StoreError::unavailable);
        co_return co_await store_.unfinished_submitters();
    }

    Task<Result<std::optional<TxView>, StoreError>> by_id(TxId id) override { return store_.by_id(id); }
    Task<Result<std::optional<TxView>, StoreError>> by_request(SubmitterId submitter, RequestId request) override {
        return store_.by_request(std::move(submitter), std::move(request));
    }
    Task<Result<std::optional<TxView>, StoreError>> by_hash(TxHash hash) override { return store_.by_hash(hash); }
    Task<Result<std::vector<TxView>, StoreError>> list(TxFilter filter) override {
        return store_.list(std::move(filter));
    }
    Task<Result<std::vector<Attempt>, StoreError>> attempts(TxId id) override { return store_.attempts(id); }
    Task<Result<std::vector<HistoryEntry>, StoreError>> history(TxId id) override { return store_.history(id); }
    Task<Result<std::vector<BlockRef>, StoreError>> stored_confirmations(TxId id) override {
        return store_.stored_confirmations(id);
    }
    Task<Result<SubmitterView, StoreError>> submitter(SubmitterId submitter) override {
        return store_.submitter(std::move(submitter));
    }
    Task<Result<std::vector<SubmitterId>, StoreError>> submitters(std::string after, std::size_t limit) override {
        return store_.submitters(std::move(after), limit);
    }

private:
    store::SqliteStore& store_;
    bool lose_heartbeats_ = false;
    bool cut_off_ = false;
    bool throw_beat_ = false;
    bool throw_look_ = false;
    std::size_t looks_ = 0;
};

}  // namespace fencepost::scenario
