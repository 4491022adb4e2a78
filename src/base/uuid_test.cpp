#include "base/uuid.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

TEST(Uuid, ReadsAndWritesTheCanonicalForm) {
    const std::string text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
    EXPECT_EQ(Uuid::parse(text)->to_string(), text);
    EXPECT_EQ(Uuid::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")->to_string(), text);
    EXPECT_EQ(Uuid::parse(text)->version(), 7);
}

TEST(Uuid, RefusesOtherForms) {
    for (const auto* text : {"", "017f22e279b07cc398c4dc0c0c07398f", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
                             "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "017f22e2x79b0-7cc3-98c4-dc0c0c07398f"}) {
        EXPECT_FALSE(Uuid::parse(text)) << text;
    }
}

// The example of RFC 9562, appendix A.6: time stamp 0x017F22E279B0.
TEST(Uuid, Version7CarriesTheTimeStampVersionAndVariant) {
    UuidV7Generator generator;
    const auto id = generator.next(UnixTime(std::chrono::milliseconds(0x017F22E279B0)), 0xffff'ffff'ffff'ffff);
    EXPECT_EQ(id.to_string().substr(0, 13), "017f22e2-79b0");
    EXPECT_EQ(id.version(), 7);
    EXPECT_EQ(id.data[8] >> 6U, 2U);
}

RC_GTEST_PROP(UuidProperty, IdsOfOneGeneratorAscend, (const std::vector<std::int8_t>& clock_steps)) {
    UuidV7Generator generator;
    UnixTime now(1'000'000'000ms);
    Uuid last;
    for (const auto step : clock_steps) {
        now += std::chrono::milliseconds(step);  // also backwards
        const auto id = generator.next(now, *rc::gen::arbitrary<std::uint64_t>());
        RC_ASSERT(id > last);
        RC_ASSERT(Uuid::parse(id.to_string()).value() == id);
        last = id;
    }
}

TEST(Uuid, ThousandsOfIdsInOneMillisecondAscend) {
    UuidV7Generator generator;
    Uuid last;
    for (int i = 0; i < 10'000; ++i) {
        const auto id = generator.next(UnixTime(1s), 0);
        ASSERT_GT(id, last);
        last = id;
    }
}

}  // namespace
}  // namespace fencepost
