#include "domain/intent.hpp"

#include <set>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

// Each differs from the first in exactly one respect.
std::vector<Intent> neighbours() {
    const Intent plain{.to = "0x01", .value = Wei(1), .data = {1, 2}, .gas_limit = Gas(21'000)};
    std::vector<Intent> intents(14, plain);
    intents[1].to = std::nullopt;
    intents[2].to = "0x02";
    intents[3].value = Wei(2);
    intents[4].data = {1};
    intents[5].data = {};
    intents[6].gas_limit = std::nullopt;
    intents[7].gas_limit = Gas(21'001);
    intents[8].fee = Speed::fast;
    intents[9].fee = Fees(LegacyFee{Wei(5)});
    intents[10].fee = Fees(DynamicFee{Wei(5), Wei(5)});
    intents[11].fee = Fees(DynamicFee{Wei(5), Wei(4)});
    intents[12].valid_until = UnixTime{};
    intents[13].valid_until = UnixTime(std::chrono::seconds(1));
    return intents;
}

TEST(Intent, FingerprintCoversEveryField) {
    std::set<Fingerprint> seen;
    for (const auto& intent : neighbours())
        EXPECT_TRUE(seen.insert(fingerprint(intent)).second);
}

TEST(Intent, EqualIntentsHaveEqualFingerprints) {
    const auto a = neighbours();
    const auto b = neighbours();
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(fingerprint(a[i]), fingerprint(b[i]));
}

}  // namespace
}  // namespace fencepost
