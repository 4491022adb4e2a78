// The stuck-transaction hook, driven by a scripted poster.
#include "hooks/stuck_hook.hpp"

#include <vector>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crypto/hmac.hpp"
#include "base/startup_error.hpp"
#include "base/text/hex.hpp"
#include "sim/sim_clock.hpp"

namespace fencepost::hooks {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

class ScriptedPoster final : public HttpPoster {
public:
    Task<Result<std::string, PostError>> post(HttpPost post, Duration limit) override {
        posts.push_back(std::move(post));
        limits.push_back(limit);
        co_return answer;
    }
    Result<std::string, PostError> answer = R"({"decision":"bump"})";
    std::vector<HttpPost> posts;
    std::vector<Duration> limits;
};

class CountingLog final : public Log {
public:
    void write(Severity /*severity*/, std::string_view /*message*/, std::initializer_list<LogField> fields) override {
        for (const auto& field : fields)
            if (field.name == "why") reasons.push_back(field.value);
    }
    std::vector<std::string> reasons;
};

StuckReport report() {
    return {.tx = {},
            .submitter = SubmitterId::evm(1, {}),
            .nonce = Nonce(7),
            .latest = TxHash{},
            .attempts = 3,
            .age = 90s,
            .error = "one: pool_full"};
}

class StuckHookTest : public ::testing::Test {
protected:
    StuckDecision decide(StuckReport asked = report()) {
        std::optional<StuckDecision> decision;
        world_.spawn(node_, keep(&hook_, std::move(asked), &decision));
        world_.run_for(1s);
        return decision.value();
    }
    static Task<void> keep(StuckHook* hook, StuckReport asked, std::optional<StuckDecision>* decision) {
        *decision = co_await hook->decide(std::move(asked));
    }
    static StuckHookOptions options() {
        return {.secret = Secret("shared"), .limit = 3s, .default_decision = StuckDecision::hand_to_person};
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("a");
    sim::SimClock clock_{node_};
    ScriptedPoster poster_;
    CountingLog log_;
    StuckHook hook_{poster_, clock_, log_, options()};
};

TEST_F(StuckHookTest, UsesDecisionOfService) {
    for (const auto& [decision, name] : enum_names<StuckDecision>) {
        poster_.answer = fmt::format(R"({{"decision":"{}","by":"night shift"}})", name);
        EXPECT_EQ(decide(), decision);
    }
    EXPECT_THAT(log_.reasons, SizeIs(0));
    EXPECT_EQ(poster_.limits.front(), 3s);
}

TEST_F(StuckHookTest, SendsCaseAsJson) {
    std::ignore = decide();
    EXPECT_EQ(boost::json::parse(poster_.posts.at(0).body),
              (boost::json::object{{"transaction", "00000000-0000-0000-0000-000000000000"},
                                   {"submitter", report().submitter.to_string()},
                                   {"nonce", 7},
                                   {"hash", "0x" + std::string(64, '0')},
                                   {"attempts", 3},
                                   {"ageSeconds", 90},
                                   {"error", "one: pool_full"}}));
    auto unsent = report();
    unsent.latest.reset();
    unsent.age.reset();
    std::ignore = decide(unsent);
    const auto told = boost::json::parse(poster_.posts.at(1).body).as_object();
    EXPECT_TRUE(told.at("hash").is_null());
    EXPECT_TRUE(told.at("ageSeconds").is_null());
}

TEST_F(StuckHookTest, SignsTimestampAndBody) {
    const auto timestamp =
        fmt::format("{}", std::chrono::floor<std::chrono::seconds>(world_.unix_now()).time_since_epoch().count());
    std::ignore = decide();
    const auto& post = poster_.posts.at(0);
    const auto code = hmac_sha256(as_bytes("shared"), as_bytes(timestamp + "." + post.body));
    EXPECT_THAT(post.headers, ElementsAre(Pair("Fencepost-Timestamp", timestamp),
                                          Pair("Fencepost-Signature", "sha256=" + to_hex(code))));
}

TEST_F(StuckHookTest, UsesDefaultOnMissingOrInvalidAnswer) {
    poster_.answer = err(PostError::unavailable);
    EXPECT_EQ(decide(), StuckDecision::hand_to_person);
    poster_.answer = err(PostError::refused);
    EXPECT_EQ(decide(), StuckDecision::hand_to_person);
    for (const auto* bad : {"", "bump", "[]", "{", R"({"decision":null})", R"({"decision":"BUMP"})",
                            R"({"decision":"cancel"})", R"({"action":"bump"})"}) {
        poster_.answer = bad;
        EXPECT_EQ(decide(), StuckDecision::hand_to_person) << bad;
    }
    EXPECT_THAT(log_.reasons, SizeIs(10)) << "each failure is logged";
}

TEST_F(StuckHookTest, RequiresSecret) { EXPECT_THROW(StuckHook(poster_, clock_, log_, {}), StartupError); }

}  // namespace
}  // namespace fencepost::hooks
