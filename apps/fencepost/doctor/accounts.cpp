#include <utility>

#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "cli/json_fields.hpp"
#include "doctor/checks.hpp"
#include "doctor/delegation.hpp"
#include "domain/amount_text.hpp"
#include "evm/json_values.hpp"
#include "jsonrpc/http_json_rpc.hpp"

namespace fencepost::doctor {
namespace {

constexpr std::size_t most_accounts = 20;  // enough to find a common problem

std::vector<SubmitterId> accounts_of(const config::Config& config, const std::set<Address>& addresses) {
    std::vector<SubmitterId> accounts;
    accounts.reserve(config.submitters.size());
    for (const auto& submitter : config.submitters)
        accounts.push_back(submitter.id);
    if (!accounts.empty()) return accounts;
    for (const auto& chain : config.chains) {
        for (const auto& address : addresses) {
            if (accounts.size() == most_accounts) return accounts;
            if (const auto id = chain.ref.evm_chain_id()) accounts.push_back(SubmitterId::evm(*id, address));
        }
    }
    return accounts;
}

/// What an endpoint reports about an account; none where it reports nothing.
struct AccountFacts {
    std::optional<Wei> balance{};
    std::optional<Bytes> code{};
};

Task<AccountFacts> ask_of(Executor executor, Clock* clock, config::Endpoint endpoint, Address address) {
    AccountFacts facts;
    try {
        jsonrpc::HttpJsonRpc rpc(executor, *clock, endpoint.rpc);
        std::vector<jsonrpc::Request> questions;
        questions.push_back({"eth_getBalance", {address.to_lower(), "latest"}});
        questions.push_back({"eth_getCode", {address.to_lower(), "latest"}});
        const auto answers = co_await rpc.call(std::move(questions), time_limit);
        if (answers[0]) {
            if (const auto balance = evm::read_quantity(*answers[0], "balance")) facts.balance = Wei(*balance);
        }
        if (answers[1]) {
            if (auto code = evm::read_data(*answers[1], "code")) facts.code = *std::move(code);
        }
    } catch (const StartupError&) {
        // The endpoint check reports this problem.
    }
    co_return facts;
}

Task<Findings> check_account(Executor executor, Clock* clock, SubmitterId account, config::ChainConfig chain,
                             bool one_at_a_time) {
    const auto subject = fmt::format("balance of {}", account);
    for (const auto& endpoint : chain.endpoints) {
        const auto facts = co_await ask_of(executor, clock, endpoint, *account.evm_address());
        if (!facts.balance) continue;
        Findings findings;
        if (facts.balance->value().is_zero()) {
            findings.push_back(
                doubtful(subject, "0", "fund the account with the chain's currency: it cannot pay for gas"));
        } else {
            findings.push_back(good(subject, amount_text(facts.balance->value())));
        }
        if (!facts.code) co_return findings;
        for (auto& finding : judge_delegation(account, *facts.code, one_at_a_time))
            findings.push_back(std::move(finding));
        co_return findings;
    }
    co_return Findings{doubtful(subject, "no endpoint reports it", "see the endpoints above")};
}

}  // namespace

Task<Findings> check_accounts(Executor executor, Clock* clock, config::Config config, std::set<Address> addresses) {
    Findings findings;
    for (const auto& account : accounts_of(config, addresses)) {
        const auto* const chain = config.find(account.chain());
        const auto* const lane = config.lane_of(account);
        if (chain == nullptr || lane == nullptr || !account.evm_address()) continue;
        for (auto& finding : co_await check_account(executor, clock, account, *chain, lane->delegated_one_at_a_time))
            findings.push_back(std::move(finding));
    }
    co_return findings;
}

}  // namespace fencepost::doctor
