// A node of the simulated chain that holds keys: it signs a requested transaction and sends it in one step. Requests
// and answers may be lost, so that a caller may get no answer to a request that was executed.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "ports/sending_connector.hpp"
#include "sim/chain/sim_network.hpp"
#include "sim/chain/sim_signer.hpp"

namespace fencepost::sim {

enum class ConnectorFault {
    none,
    request_lost,         // it never arrives
    answer_lost,          // it is sent, and the answer is lost
    unacknowledged_send,  // it is sent, and the answer says "already known" without a hash
    refused,              // it is not sent
};

/// Rates per thousand requests.
struct ConnectorFaultRates {
    std::uint32_t requests_lost = 0;
    std::uint32_t answers_lost = 0;
    std::uint32_t unacknowledged_sends = 0;
};

/// The connector's side. It must not be moved and must outlive the world's run.
class SimKeyHolder {
public:
    /// Called with the calling node at the moment the request leaves it.
    using Watch = std::function<void(const std::string& node, const UnsignedTransaction&)>;
    using Answer = std::function<void(ConnectorAnswer)>;

    SimKeyHolder(SimNetwork& network, SimSigner& signer, std::uint64_t seed);
    SimKeyHolder(const SimKeyHolder&) = delete;
    SimKeyHolder& operator=(const SimKeyHolder&) = delete;

    // Switches.

    void hold(const SubmitterId& submitter) { held_.insert(submitter); }
    void set_abilities(ConnectorAbilities abilities) { abilities_ = abilities; }
    /// Faults of the next requests, one entry per request; after that the rates decide.
    void script(std::initializer_list<ConnectorFault> faults) { script_.assign(faults); }
    void set_rates(ConnectorFaultRates rates) { rates_ = rates; }
    /// While set, it returns no hashes and compares nothing.
    void set_mute(bool mute) { unresponsive_ = mute; }
    void watch(Watch watch) { watch_ = std::move(watch); }

    // Queries.

    [[nodiscard]] bool holds(const SubmitterId& submitter) const { return held_.contains(submitter); }
    [[nodiscard]] ConnectorAbilities abilities() const { return abilities_; }
    /// Every request to send, in order, including those that never arrived.
    [[nodiscard]] const std::vector<UnsignedTransaction>& asked() const { return asked_; }

    // For SimConnector.

    void ask(const std::string& node, const UnsignedTransaction& transaction, Answer answer);
    /// None while it is mute.
    [[nodiscard]] std::optional<TxHash> hash_of(const UnsignedTransaction& transaction);
    [[nodiscard]] RpcResult<std::optional<TxHash>> sent_at(const SubmitterId& submitter, Nonce nonce) const;

private:
    [[nodiscard]] ConnectorFault next_fault();
    [[nodiscard]] ConnectorAnswer sign_and_send(const UnsignedTransaction& transaction, ConnectorFault fault);
    void after(Duration delay, std::function<void()> action);

    SimNetwork& network_;
    SimSigner& signer_;
    SeededRandom random_;
    ConnectorAbilities abilities_;
    ConnectorFaultRates rates_;
    std::deque<ConnectorFault> script_;
    bool unresponsive_ = false;
    Watch watch_;
    std::set<SubmitterId> held_;
    std::vector<UnsignedTransaction> asked_;
    std::map<std::pair<SubmitterId, Nonce>, TxHash> sent_;
};

/// One node's connection to the connector.
class SimConnector final : public SendingConnector {
public:
    SimConnector(SimNode& node, SimKeyHolder& holder, Duration time_limit = std::chrono::seconds(5));

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override { return holder_.holds(submitter); }
    [[nodiscard]] ConnectorAbilities abilities() const override { return holder_.abilities(); }
    [[nodiscard]] Task<ConnectorAnswer> send(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) override;
    [[nodiscard]] Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) override;

private:
    SimNode& node_;
    SimKeyHolder& holder_;
    SimClock clock_;
    Duration time_limit_;
    std::string name_ = "connector";
};

}  // namespace fencepost::sim
