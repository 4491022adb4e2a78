// Derives from one endpoint's answers which of an account's transactions its mempool holds. Pure: answers in, view out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "domain/address.hpp"
#include "evm/endpoints/endpoint.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

/// Transactions by hash, then the account's counts, then the head. A transaction that is neither known by hash nor
/// counted afterwards was absent, and the head, read last, is no older than either.
struct PoolReading {
    /// What an endpoint knows of a transaction, by any of its hashes.
    enum class Seen { nothing, waiting, mined, unclear };

    Nonce latest;
    Nonce pending;
    BlockNumber head;
    /// One per queried transaction, in order.
    std::vector<Seen> seen;
};

/// The requests of one reading.
[[nodiscard]] std::vector<jsonrpc::Request> pool_requests(const Address& account,
                                                          const std::vector<PoolQuery>& questions);
/// The lowest transactions for which all requests fit into one batch: a batch that is split is not a snapshot (failure
/// 41).
[[nodiscard]] std::vector<PoolQuery> limit_to_batch(std::vector<PoolQuery> questions, std::size_t max_batch);
/// Empty when a count or the head is missing.
[[nodiscard]] std::optional<PoolReading> read_pool(const std::vector<jsonrpc::Answer>& answers,
                                                   const std::vector<PoolQuery>& questions);

/// Combines two readings of one endpoint's mempool: first the lowest transaction and the counts, then by hash whatever
/// the counts leave open.
class PoolPresence {
public:
    PoolPresence(std::vector<PoolQuery> questions, MempoolCapabilities& capabilities, BlockNumber told);

    /// The first reading covers the lowest transaction. False: the endpoint lags, so it has no view.
    [[nodiscard]] bool take_first(const PoolReading& reading);
    /// Transactions worth querying by hash after the first reading.
    [[nodiscard]] std::vector<PoolQuery> open() const;
    /// The reading of some of those.
    void take_second(const PoolReading& reading, const std::vector<PoolQuery>& asked);

    [[nodiscard]] PoolView view(std::string endpoint) const;

private:
    [[nodiscard]] bool is_counted(Nonce nonce) const { return count_is_trusted_ && nonce < first_.pending; }
    void learn(const PoolReading& reading, const std::vector<PoolQuery>& asked);
    [[nodiscard]] Presence judge(PoolReading::Seen seen, const PoolReading& second, const PoolQuery& question) const;

    std::vector<PoolQuery> questions_;
    MempoolCapabilities& capabilities_;
    BlockNumber reported_head_;
    PoolReading first_{};
    bool count_is_trusted_ = true;
    std::vector<Presence> presence_;
};

}  // namespace fencepost::evm
