// A node of the simulated chain that holds keys: it signs what it is asked for and sends it in one, and what goes wrong
// on the way there and back goes wrong as it would: a request may be lost, and so may the answer to one that was done.
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
    request_lost,   // it never hears of it
    answer_lost,    // it is sent, and nobody is told
    silent_taking,  // it is sent, and the answer calls it known and names no hash
    refused,        // it is not sent
};

/// Of a thousand requests so many go wrong in this way.
struct ConnectorFaultRates {
    std::uint32_t requests_lost = 0;
    std::uint32_t answers_lost = 0;
    std::uint32_t silent_takings = 0;
};

/// The other side. It must not be moved, and stands as long as the world runs.
class SimKeyHolder {
public:
    /// Called with the node that asks, at the moment the request leaves it.
    using Watch = std::function<void(const std::string& node, const UnsignedTransaction&)>;
    using Answer = std::function<void(ConnectorAnswer)>;

    SimKeyHolder(SimNetwork& network, SimSigner& signer, std::uint64_t seed);
    SimKeyHolder(const SimKeyHolder&) = delete;
    SimKeyHolder& operator=(const SimKeyHolder&) = delete;

    // Switches.

    void hold(const SubmitterId& submitter) { held_.insert(submitter); }
    void set_abilities(ConnectorAbilities abilities) { abilities_ = abilities; }
    /// The next requests go wrong like this, one entry a request; after that the rates decide.
    void script(std::initializer_list<ConnectorFault> faults) { script_.assign(faults); }
    void set_rates(ConnectorFaultRates rates) { rates_ = rates; }
    /// It tells no hashes and compares nothing for now.
    void set_mute(bool mute) { mute_ = mute; }
    void watch(Watch watch) { watch_ = std::move(watch); }

    // What is.

    [[nodiscard]] bool holds(const SubmitterId& submitter) const { return held_.contains(submitter); }
    [[nodiscard]] ConnectorAbilities abilities() const { return abilities_; }
    /// All that it was asked to send, in order; also what never arrived.
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
    bool mute_ = false;
    Watch watch_;
    std::set<SubmitterId> held_;
    std::vector<UnsignedTransaction> asked_;
    std::map<std::pair<SubmitterId, Nonce>, TxHash> sent_;
};

/// One node's way to it.
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
