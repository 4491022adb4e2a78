#include "doctor/delegation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost::doctor {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const auto account = SubmitterId::parse("eip155:1:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266").value();
const auto delegated = from_hex("0xef0100d8da6bf26964af9d7eed9e03e53415d37aa96045").value();

TEST(Delegation, IsDoubtfulWithOneInFlight) {
    const auto findings = judge_delegation(account, delegated, true);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].verdict, Verdict::doubtful);
    EXPECT_THAT(findings[0].subject, HasSubstr("account eip155:1:0xf39"));
    EXPECT_THAT(findings[0].what, HasSubstr("delegated to 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 (EIP-7702): "
                                            "geth's pool holds one transaction of it at a time"));
    EXPECT_THAT(findings[0].to_do, HasSubstr("nonce.delegatedAccounts: window"));
}

TEST(Delegation, IsGoodWithAWiderWindow) {
    const auto findings = judge_delegation(account, delegated, false);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].verdict, Verdict::good);
}

TEST(Delegation, AcceptsOnlyTheEip7702Designator) {
    EXPECT_THAT(judge_delegation(account, {}, true), IsEmpty());
    auto longer = delegated;
    longer.push_back(0);
    EXPECT_THAT(judge_delegation(account, longer, true), IsEmpty());
    auto shorter = delegated;
    shorter.pop_back();
    EXPECT_THAT(judge_delegation(account, shorter, true), IsEmpty());
    auto contract = delegated;
    contract[2] = 1;
    EXPECT_THAT(judge_delegation(account, contract, true), IsEmpty()) << "code of a contract";
}

}  // namespace
}  // namespace fencepost::doctor
