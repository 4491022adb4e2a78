// What one endpoint's answers say of the presence of an account's transactions. Pure: answers go in, a view comes out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "domain/address.hpp"
#include "evm/endpoints/endpoint.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

/// The counts of an account and the head, and before them some transactions by hash: what is not known by hash and not
/// counted after that was not there, and the head that is read last is no older than either.
struct PoolReading {
    /// How an endpoint knows a transaction, by any of its hashes.
    enum class Seen { nothing, waiting, mined, unclear };

    Nonce latest;
    Nonce pending;
    BlockNumber head;
    /// One per question that was asked about, in order.
    std::vector<Seen> seen;
};

/// What one reading about these asks.
[[nodiscard]] std::vector<jsonrpc::Request> pool_requests(const Address& account,
                                                          const std::vector<PoolQuestion>& questions);
/// So many of these, from the lowest up, that all that is asked about them fits into one request: a batch that is split
/// is not of one moment (failure 41).
[[nodiscard]] std::vector<PoolQuestion> that_fit(std::vector<PoolQuestion> questions, std::size_t max_batch);
/// Nothing when the counts or the head are not told.
[[nodiscard]] std::optional<PoolReading> read_pool(const std::vector<jsonrpc::Answer>& answers,
                                                   const std::vector<PoolQuestion>& questions);

/// What is known of one endpoint's pool in one look: first the lowest transaction and the counts, then what they leave
/// open.
class PoolPresence {
public:
    PoolPresence(std::vector<PoolQuestion> questions, PoolHabits& habits, BlockNumber told);

    /// The first reading is about the lowest question. False: the endpoint lags, and has no view.
    [[nodiscard]] bool take_first(const PoolReading& reading);
    /// What is worth asking by hash after that.
    [[nodiscard]] std::vector<PoolQuestion> open() const;
    /// The reading of some of those.
    void take_second(const PoolReading& reading, const std::vector<PoolQuestion>& asked);

    [[nodiscard]] PoolView view(std::string endpoint) const;

private:
    [[nodiscard]] bool is_counted(Nonce nonce) const { return count_is_trusted_ && nonce < first_.pending; }
    void learn(const PoolReading& reading, const std::vector<PoolQuestion>& asked);
    [[nodiscard]] Presence judge(PoolReading::Seen seen, const PoolReading& second, const PoolQuestion& question) const;

    std::vector<PoolQuestion> questions_;
    PoolHabits& habits_;
    BlockNumber told_;
    PoolReading first_{};
    bool count_is_trusted_ = true;
    std::vector<Presence> presence_;
};

}  // namespace fencepost::evm
