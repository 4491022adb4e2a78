// Asks the service for accounts and signatures.
#include "signers/remote_signer.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/printable.hpp"
#include "codec/from_port.hpp"
#include "signers/sign_errors.hpp"
#include "signers/sign_request.hpp"

namespace fencepost::signers {
namespace {

constexpr std::size_t max_message = 200;

SignError to_sign_error(const jsonrpc::ErrorAnswer& answer) {
    return {SignError::Kind::refused, fmt::format("the remote signer refused: \"{}\" ({})",
                                                  printable(as_bytes(answer.message), max_message), answer.code)};
}

SignError to_sign_error(const jsonrpc::Failure& failure) {
    return {SignError::Kind::unavailable,
            fmt::format("the remote signer does not answer: {} ({})", failure.what, failure.kind)};
}

SignError not_accounts() {
    return {SignError::Kind::mismatch, "the remote signer's answer to eth_accounts is not a list of addresses"};
}

Result<std::set<Address>, SignError> read_accounts(const boost::json::value& answer) {
    const auto* list = answer.if_array();
    if (list == nullptr) return err(not_accounts());
    std::set<Address> accounts;
    for (const auto& entry : *list) {
        const auto* text = entry.if_string();
        const auto address = Address::parse(text != nullptr ? std::string_view(*text) : "");
        if (!address) return err(not_accounts());
        accounts.insert(*address);
    }
    return accounts;
}

}  // namespace

Task<Result<boost::json::value, SignError>> RemoteSigner::ask(jsonrpc::Request request) {
    std::vector<jsonrpc::Request> batch;
    batch.push_back(std::move(request));
    auto answers = co_await rpc_.call(std::move(batch), options_.time_limit);
    FP_ASSERT(answers.size() == 1);
    auto& answer = answers.front();
    if (answer) co_return *std::move(answer);
    co_return err(std::visit([](const auto& error) { return to_sign_error(error); }, answer.error()));
}

Task<Status<SignError>> RemoteSigner::refresh() {
    const auto answer = co_await ask({.method = "eth_accounts", .params = {}});
    if (!answer) co_return err(answer.error());
    auto accounts = read_accounts(*answer);
    if (!accounts) co_return err(accounts.error());
    accounts_ = *std::move(accounts);
    co_return Status<SignError>{};
}

bool RemoteSigner::can_sign_for(const SubmitterId& submitter) const {
    const auto address = submitter.evm_address();
    return address && accounts_.contains(*address);
}

Task<Result<SignedTransaction, SignError>> RemoteSigner::sign(UnsignedTransaction transaction) {
    if (!can_sign_for(transaction.from)) co_return err(no_key(transaction.from));
    if (const auto evm = codec::is_evm_transaction(transaction); !evm) co_return err(not_signable(evm.error()));
    const auto answer = co_await ask(sign_request(transaction));
    if (!answer) co_return err(answer.error());
    co_return check_signed(*answer, transaction);
}

}  // namespace fencepost::signers
