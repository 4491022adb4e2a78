// What the API shows of submitters, compared with what was written.
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class Submitters : public ApiTest {
protected:
    Json show(const SubmitterId& submitter = alice) {
        return get("/api/v1/submitters/" + submitter.to_string()).json();
    }
    void set_window(WindowState window) {
        LaneWrite change{.submitter = alice, .fence = fence_, .window = window};
        EXPECT_EQ(run(store_->write({change})).value().at(0), WriteAnswer::applied);
    }
    void set_status(SubmitterStatus status, std::string reason) {
        LaneWrite change{.submitter = alice, .fence = fence_, .status = StatusChange{status, std::move(reason)}};
        EXPECT_EQ(run(store_->write({change})).value().at(0), WriteAnswer::applied);
    }
};

TEST_F(Submitters, SubmitterWithoutTransactionsIsIdle) {
    const auto view = show();
    EXPECT_EQ(view.at("submitter"), boost::json::string_view(alice.to_string()));
    EXPECT_EQ(view.at("chain"), "dev");
    EXPECT_EQ(view.at("status"), "ACTIVE");
    EXPECT_EQ(view.at("inFlightState"), "IDLE");
    EXPECT_EQ(view.at("counts").at("QUEUED"), 0);
    EXPECT_TRUE(view.at("lease").is_null());
    EXPECT_EQ(view.at("balance"), "1000");
}

TEST_F(Submitters, ShowsTheConfiguredWindowUntilTheLaneStoresOne) {
    EXPECT_EQ(show().at("window"), 16);
    EXPECT_EQ(show().at("windowConfigured"), "auto");
    EXPECT_EQ(show().at("windowLimit"), "demand");
    EXPECT_TRUE(show().at("windowSince").is_null());
    facts_.window_rules = 8;
    EXPECT_EQ(show().at("window"), 8);
    EXPECT_EQ(show().at("windowConfigured"), 8);
    EXPECT_EQ(show().at("windowLimit"), "ceiling");
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    set_window({2, WindowLimit::pool_full});
    EXPECT_EQ(show().at("window"), 2);
    EXPECT_EQ(show().at("windowConfigured"), 8) << "a number is the most";
    EXPECT_EQ(show().at("windowLimit"), "pool_full");
    EXPECT_EQ(show().at("windowSince"),
              boost::json::string_view(to_rfc3339_milliseconds(*run(store_->submitter(alice)).value().window_since)));
    facts_.window_rules = {};
    set_window({256, WindowLimit::demand});
    EXPECT_EQ(show().at("window"), 256);
    EXPECT_EQ(show().at("windowConfigured"), "auto");
    authenticator_.caller.scope = Scope::read;
    EXPECT_EQ(show().at("window"), 256) << "a window tells no nonce";
}

TEST_F(Submitters, ShowsNextNonceAndCounts) {
    std::vector<TxId> txs;
    for (int i = 0; i < 5; ++i)
        txs.push_back(accepted(fmt::format("order-{}", i)));
    open_lane();
    for (std::uint64_t i = 0; i < 3; ++i)
        allocate(txs[i], i);
    mine(txs[0], 0, 43);
    write({.tx = txs[0], .expected = {State::tracking, SubState::mined}, .to = {State::confirmed}});
    mine(txs[1], 1, 44, false);
    write({.tx = txs[1], .expected = {State::tracking, SubState::mined}, .to = {State::failed_final}});
    write({.tx = txs[4], .expected = {State::queued}, .to = {State::rejected}});
    const auto view = show();
    EXPECT_EQ(view.at("nextNonce"), 3);
    EXPECT_EQ(view.at("pending"), 2);
    EXPECT_EQ(view.at("confirmed"), 1);
    EXPECT_EQ(view.at("failed"), 2);
    EXPECT_EQ(view.at("counts").at("QUEUED"), 1);
    EXPECT_EQ(view.at("counts").at("TRACKING"), 1);
    EXPECT_EQ(view.at("counts").at("REJECTED"), 1);
    EXPECT_EQ(view.at("oldestPending").at("txId"), boost::json::string_view(txs[2].value().to_string()));
    EXPECT_EQ(view.at("lease").at("owner"), "node-1");
    EXPECT_EQ(view.at("lease").at("held"), true);
    EXPECT_EQ(view.at("lease").at("fencingToken"), fence_.token.value());
}

TEST_F(Submitters, CountsReservedAndRecyclableNonces) {
    open_lane();
    for (const auto* owner : {"a", "b", "c"}) {
        EXPECT_EQ(run(store_->reserve(alice, fence_, LockOwner(owner), {}, 1h)).value().answer, WriteAnswer::applied);
    }
    EXPECT_EQ(run(store_->mark_recyclable(alice, fence_, LockOwner("b"), Nonce(1), "not sent")).value(),
              WriteAnswer::applied);
    const auto view = show();
    EXPECT_EQ(view.at("reserved"), 2);
    EXPECT_EQ(view.at("recyclable"), 1);
}

TEST_F(Submitters, DerivesInFlightAndShowsNoncesToAdminsOnly) {
    const auto first = accepted("order-1");
    const auto second = accepted("order-2");
    open_lane();
    allocate(first, 0);
    allocate(second, 1);
    mine(first, 0, 43);
    const auto view = show();
    EXPECT_EQ(view.at("inFlightState"), "IN_FLIGHT");
    ASSERT_EQ(view.at("inFlight").as_array().size(), 1U) << "what is mined is not in flight any more";
    EXPECT_EQ(view.at("inFlight").at(0).at("txId"), boost::json::string_view(second.value().to_string()));
    EXPECT_EQ(view.at("inFlight").at(0).at("nonce"), 1);
    set_status(SubmitterStatus::protect, "outside use");
    EXPECT_EQ(show().at("inFlightState"), "PROTECT");
    authenticator_.caller.scope = Scope::read;
    EXPECT_FALSE(show().as_object().contains("nextNonce"));
    EXPECT_FALSE(show().at("inFlight").at(0).as_object().contains("nonce"));
}

TEST_F(Submitters, ShowsWhyASubmitterIsStopped) {
    EXPECT_TRUE(show().at("stopped").is_null());
    const auto tx = accepted("order-1");
    EXPECT_EQ(show().at("stopped"), "It has pending transactions, and no node serves it at the moment.");
    open_lane();
    EXPECT_TRUE(show().at("stopped").is_null());
    allocate(tx, 0);
    write({.tx = tx, .expected = {State::tracking}, .to = {State::stuck}});
    EXPECT_EQ(show().at("stopped"), "1 of its transactions need an operator's decision.");
    set_status(SubmitterStatus::paused, "month's end");
    EXPECT_EQ(show().at("stopped"), "It is paused: month's end");
    EXPECT_EQ(show().at("statusReason"), "month's end");
    EXPECT_TRUE(show().at("statusSince").is_string());
}

TEST_F(Submitters, ShowsTheRestWithoutABalance) {
    chain_.owned = {};
    const auto view = show();
    EXPECT_TRUE(view.at("balance").is_null());
    EXPECT_EQ(view.at("balanceError"), "timed_out: no answer");
    const auto list = get("/api/v1/submitters").json();
    EXPECT_EQ(list.at("items").at(1).at("balanceError"), "timed_out: no answer");
}

TEST_F(Submitters, ListsConfiguredAndStoredSubmitters) {
    accepted("order-1", bob);
    facts_.keys = {alice};
    std::vector<std::string> seen;
    std::string path = "/api/v1/submitters?limit=1";
    for (;;) {
        const auto page = get(path).json();
        for (const auto& item : page.at("items").as_array())
            seen.emplace_back(item.at("submitter").as_string());
        if (page.at("next").is_null()) break;
        path = "/api/v1/submitters?limit=1&after=" + std::string(page.at("next").as_string());
    }
    EXPECT_EQ(seen, (std::vector{alice.to_string(), bob.to_string()}));
    EXPECT_TRUE(get("/api/v1/submitters").json().at("next").is_null()) << "there are no more";
    authenticator_.caller.submitters = std::vector{bob};
    const auto own = get("/api/v1/submitters").json().at("items").as_array();
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own[0].at("submitter"), boost::json::string_view(bob.to_string()));
    EXPECT_EQ(get("/api/v1/submitters/" + alice.to_string()).status(), 403);
}

TEST_F(Submitters, UnknownSubmitterIsNotFound) {
    EXPECT_EQ(get("/api/v1/submitters/eip155:31337:0x00000000000000000000000000000000000000dd").status(), 404);
    EXPECT_EQ(get("/api/v1/submitters/eip155:7:0x00000000000000000000000000000000000000dd").status(), 422);
    EXPECT_EQ(get("/api/v1/submitters/unknown").status(), 422);
    EXPECT_EQ(get("/api/v1/submitters/" + std::string(alice.account())).status(), 200) << "one chain is served";
}

}  // namespace
}  // namespace fencepost::api
