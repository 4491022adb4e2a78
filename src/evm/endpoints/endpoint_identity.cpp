// Verifies which chain an endpoint serves: at first contact, whenever it comes back, and when its head falls far. A
// node can be replaced by another at the same address, and a wrong line in a configuration must not cost a nonce.
#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "evm/endpoints/endpoint.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

using jsonrpc::Failure;
using jsonrpc::Request;

namespace {

std::vector<Request> identity_requests() {
    std::vector<Request> questions;
    questions.push_back({"eth_chainId", {}});
    questions.push_back({"eth_getBlockByNumber", {"0x0", false}});
    questions.push_back({"eth_blockNumber", {}});
    return questions;
}

std::string why_not(const jsonrpc::Answer& answer, std::string_view what) {
    if (answer) return fmt::format("does not return {}", what);
    if (const auto* failure = std::get_if<Failure>(&answer.error())) return failure->what;
    return fmt::format("does not return {}: {}", what, std::get<jsonrpc::ErrorAnswer>(answer.error()).message);
}

}  // namespace

Task<std::optional<Failure>> Endpoint::check_identity(Duration time_limit, AllowQuarantined allow_quarantined) {
    if (verified_) co_return obstacle(allow_quarantined);
    const auto check_permit = co_await identity_check_.take(clock_.monotonic() + time_limit);
    if (!check_permit) co_return failure(Failure::Kind::timed_out, "chain identity check still in progress");
    if (auto why = obstacle(allow_quarantined)) co_return why;
    if (verified_) co_return std::nullopt;
    const auto answers = co_await ask(identity_requests(), time_limit);
    co_return judge_identity(answers);
}

std::optional<Failure> Endpoint::judge_identity(const Answers& answers) {
    for (const auto& answer : answers) {
        if (answer) continue;
        if (const auto* failed = std::get_if<Failure>(&answer.error())) return *failed;
    }
    const auto chain_id = answers[0] ? read_uint64(*answers[0], "chain id") : Parsed<std::uint64_t>(err(ParseError{}));
    if (!chain_id) return failure(Failure::Kind::malformed, why_not(answers[0], "its chain id"));
    if (*chain_id != pin_.chain_id) {
        return refuse(fmt::format("serves another chain: its id is {}, not {}", *chain_id, pin_.chain_id));
    }

    const auto genesis = answers[1] ? read_block(*answers[1]) : Parsed<std::optional<Block>>(err(ParseError{}));
    if (!genesis || !*genesis) return failure(Failure::Kind::malformed, why_not(answers[1], "its genesis block"));
    const auto& hash = (**genesis).ref.hash;
    if (pin_.genesis && *pin_.genesis != hash) {
        return refuse(fmt::format("serves another chain with the same id: its genesis is {}, not {}",
                                  to_hex_prefixed(hash.view()), to_hex_prefixed(pin_.genesis->view())));
    }
    if (!pin_.genesis) {
        log_.write(Severity::info, "Chain pinned to genesis of first endpoint",
                   {{"endpoint", name_}, {"genesis", to_hex_prefixed(hash.view())}});
    }
    pin_.genesis = hash;
    if (other_chain_) log_.write(Severity::info, "Endpoint serves configured chain again", {{"endpoint", name_}});
    other_chain_.reset();
    verified_ = true;
    return std::nullopt;
}

Failure Endpoint::refuse(std::string why) {
    if (other_chain_ != why) {
        log_.write(Severity::alert, "Endpoint serves another chain, refused", {{"endpoint", name_}, {"reason", why}});
    }
    other_chain_ = std::move(why);
    mempool_capabilities_ = {};
    other_chain_until_ = clock_.monotonic() + options_.other_chain_recheck;
    return failure(Failure::Kind::unreachable, *other_chain_);
}

}  // namespace fencepost::evm
