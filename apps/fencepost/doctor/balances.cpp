#include <utility>

#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "cli/json_fields.hpp"
#include "doctor/checks.hpp"
#include "evm/json_values.hpp"
#include "jsonrpc/http_json_rpc.hpp"

namespace fencepost::doctor {
namespace {

constexpr Duration time_limit = std::chrono::seconds(5);
constexpr std::size_t most_accounts = 20;  // enough to see that something is wrong

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

Task<std::optional<Wei>> balance_at(Executor executor, Clock* clock, config::Endpoint endpoint, Address address) {
    try {
        jsonrpc::HttpJsonRpc rpc(executor, *clock, endpoint.rpc);
        std::vector<jsonrpc::Request> question;
        question.push_back({"eth_getBalance", {address.to_lower(), "latest"}});
        const auto answers = co_await rpc.call(std::move(question), time_limit);
        const auto balance =
            answers.front() ? evm::read_quantity(*answers.front(), "balance") : evm::Parsed<Uint256>(err(ParseError{}));
        if (balance) co_return Wei(*balance);
    } catch (const StartupError&) {
        // The check of the endpoints has said so.
    }
    co_return std::nullopt;
}

Task<Finding> check_balance(Executor executor, Clock* clock, SubmitterId account, config::ChainConfig chain) {
    const auto subject = fmt::format("balance of {}", account);
    for (const auto& endpoint : chain.endpoints) {
        const auto balance = co_await balance_at(executor, clock, endpoint, *account.evm_address());
        if (!balance) continue;
        if (!balance->value().is_zero()) co_return good(subject, cli::amount_text(balance->value()));
        co_return doubtful(subject, "nothing", "send it some of the chain's currency, or it can pay for no gas");
    }
    co_return doubtful(subject, "no endpoint tells it", "see the endpoints above");
}

}  // namespace

Task<Findings> check_balances(Executor executor, Clock* clock, config::Config config, std::set<Address> addresses) {
    Findings findings;
    for (const auto& account : accounts_of(config, addresses)) {
        const auto* const chain = config.find(account.chain());
        if (chain == nullptr || !account.evm_address()) continue;
        findings.push_back(co_await check_balance(executor, clock, account, *chain));
    }
    co_return findings;
}

}  // namespace fencepost::doctor
