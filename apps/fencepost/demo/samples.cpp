#include "demo/samples.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::demo {
namespace {

enum class SampleKind { paid, token_moved, reverted, refused, cancelled };

// Most samples are payments. Samples that fail or stay unmined use their own lanes, so that no other one waits behind
// them.
constexpr std::array order{SampleKind::paid,     SampleKind::paid,    SampleKind::token_moved,
                           SampleKind::reverted, SampleKind::refused, SampleKind::cancelled};

struct Plan {
    std::string_view name;
    std::string_view what;
    std::size_t account;
    std::string payload;
};

Plan plan_of(SampleKind kind, const SampleTargets& targets) {
    const auto& friendly = targets.accounts.back();
    switch (kind) {
        case SampleKind::paid:
            return {"pay", "pays 0.01 ether", 0,
                    fmt::format(R"({{"to":"{}","value":"10000000000000000"}})", friendly.to_checksum())};
        case SampleKind::token_moved:
            return {"token", "transfers a token, encoded with the contract's ABI", 1,
                    fmt::format(R"json({{"to":"{}","abi":"transfer(address,uint256)",)json"
                                R"("args":["{}","1000000000000000000"]}})",
                                targets.token.to_checksum(), friendly.to_checksum())};
        case SampleKind::reverted:
            return {"revert", "reverts on the chain: a given gas limit skips the simulation", 2,
                    fmt::format(R"({{"to":"{}","data":"0x00","gas":"100000"}})", targets.failing.to_checksum())};
        case SampleKind::refused:
            return {"refused", "is rejected without using a nonce: the simulation reverts", 2,
                    fmt::format(R"({{"to":"{}","data":"0x00"}})", targets.failing.to_checksum())};
        case SampleKind::cancelled:
            return {"cancel", "has a too low fee and is cancelled: a no-op transaction uses its nonce", 3,
                    fmt::format(R"({{"to":"{}","value":"1","fee":{{"maxFeePerGas":"1","maxPriorityFeePerGas":"1"}}}})",
                                friendly.to_checksum())};
    }
    FP_UNREACHABLE();
}

std::string body_of(const Address& submitter, const std::string& request_id, const std::string& payload) {
    return fmt::format(R"({{"submitter":"{}","requestId":"{}","payload":{}}})", submitter.to_checksum(), request_id,
                       payload);
}

}  // namespace

std::vector<Sample> make_samples(const SampleTargets& targets, std::size_t run, std::size_t count) {
    FP_ASSERT(targets.accounts.size() >= 4);
    std::vector<Sample> samples;
    samples.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto kind = order.at(i % order.size());
        const auto plan = plan_of(kind, targets);
        const auto& submitter = targets.accounts[plan.account];
        auto id = fmt::format("{}-{}-{}", plan.name, run, i + 1);
        auto body = body_of(submitter, id, plan.payload);
        samples.push_back(
            {std::move(id), submitter, std::string(plan.what), std::move(body), kind == SampleKind::cancelled});
    }
    return samples;
}

std::string example_request_id(std::size_t run) { return fmt::format("mine-{}", run); }

std::string example_body(const SampleTargets& targets, std::size_t run) {
    return body_of(targets.accounts.front(), example_request_id(run), plan_of(SampleKind::paid, targets).payload);
}

}  // namespace fencepost::demo
