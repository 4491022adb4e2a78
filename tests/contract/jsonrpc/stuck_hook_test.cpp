// The stuck-transaction hook over a real loopback connection: what the service receives, and what silence leads to.
#include "hooks/stuck_hook.hpp"

#include "base/crypto/hmac.hpp"
#include "base/text/hex.hpp"
#include "jsonrpc/json_poster.hpp"
#include "rpc_site.hpp"

namespace fencepost::test {
namespace {

struct Asking {
    explicit Asking(RpcSite& site, Duration limit)
        : poster(site.context.get_executor(), site.clock, {.url = *Url::parse(site.server.url() + "/stuck")}),
          hook(poster, site.clock, log,
               {.secret = Secret("shared"), .limit = limit, .default_decision = StuckDecision::hand_to_person}) {}

    Task<StuckDecision> ask() {
        return hook.decide({.tx = {}, .submitter = SubmitterId::evm(1, {}), .nonce = Nonce(7)});
    }

    NoLog log;
    jsonrpc::JsonPoster poster;
    hooks::StuckHook hook;
};

Task<void> be_answered(RpcSite* site) {
    Asking asking(*site, enough);
    site->server.next({.mode = AnswerMode::http_status, .text = R"({"decision":"filler"})", .status = 200});
    EXPECT_EQ(co_await asking.ask(), StuckDecision::filler);
    const auto& request = site->server.received().at(0);
    EXPECT_EQ(request.target, "/stuck");
    // Verified as the receiving service would.
    const auto signed_text = request.header("Fencepost-Timestamp") + "." + request.body;
    EXPECT_EQ(request.header("Fencepost-Signature"),
              "sha256=" + to_hex(hmac_sha256(as_bytes("shared"), as_bytes(signed_text))));
}
TEST(StuckHook, SignedRequestArrivesAndAnswerDecides) { play(be_answered); }

Task<void> be_left_alone(RpcSite* site) {
    Asking asking(*site, 200ms);
    for (const auto mode :
         {AnswerMode::silence, AnswerMode::close, AnswerMode::reset, AnswerMode::html, AnswerMode::half_answer}) {
        site->server.next({.mode = mode});
        EXPECT_EQ(co_await asking.ask(), StuckDecision::hand_to_person);
    }
    site->server.next({.mode = AnswerMode::http_status, .text = R"({"decision":"filler"})", .status = 500});
    EXPECT_EQ(co_await asking.ask(), StuckDecision::hand_to_person) << "the body of an error response does not count";
    site->server.go_down();
    EXPECT_EQ(co_await asking.ask(), StuckDecision::hand_to_person);
}
TEST(StuckHook, SilenceInvalidAnswerAndFailureUseDefault) { play(be_left_alone); }

}  // namespace
}  // namespace fencepost::test
