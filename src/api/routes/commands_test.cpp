// Commands posted through the API, their audit lines, and the routes for operators.
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class CommandRoutes : public ApiTest {
protected:
    static std::string of(const SubmitterId& submitter, std::string_view act) {
        return fmt::format("/api/v1/submitters/{}/{}", submitter, act);
    }
    static std::string of(const TxId& tx, std::string_view act) {
        return fmt::format("/api/v1/tx/{}/{}", tx.value(), act);
    }
    std::vector<Command> pending() { return run(store_->pending(alice)).value(); }
};

TEST_F(CommandRoutes, CancelRecordsCallerAndReason) {
    const auto tx = accepted("order-1");
    woken_.clear();
    authenticator_.caller.scope = Scope::write;
    const auto answer = post(of(tx, "cancel"), R"({"reason":"wrong amount"})");
    ASSERT_EQ(answer.status(), 202) << answer.response.body;
    EXPECT_EQ(answer.text("kind"), "cancel");
    EXPECT_EQ(answer.text("txId"), tx.value().to_string());
    const auto commands = pending();
    ASSERT_EQ(commands.size(), 1U);
    EXPECT_EQ(commands[0].kind, CommandKind::cancel);
    EXPECT_EQ(commands[0].tx, tx);
    EXPECT_EQ(commands[0].requested_by, "shop");
    EXPECT_EQ(commands[0].reason, "wrong amount");
    EXPECT_EQ(answer.text("commandId"), fmt::format("{}", commands[0].sequence.value()));
    EXPECT_EQ(woken_, std::vector{alice});
    ASSERT_EQ(recorded_.lines.size(), 1U);
    EXPECT_EQ(recorded_.lines[0],
              fmt::format("Audit: command requested through the API by=shop act=cancel submitter={} tx={} "
                          "why=wrong amount outcome=posted",
                          alice, tx.value()));
}

TEST_F(CommandRoutes, SubmitterCommandsNeedAdminScope) {
    const std::vector<std::pair<std::string, CommandKind>> acts{{"pause", CommandKind::pause},
                                                                {"resume", CommandKind::resume},
                                                                {"protect", CommandKind::protect},
                                                                {"unprotect", CommandKind::unprotect},
                                                                {"reconcile", CommandKind::reconcile}};
    for (const auto& [act, kind] : acts) {
        authenticator_.caller.scope = Scope::write;
        EXPECT_EQ(post(of(alice, act), "").status(), 403) << act;
        authenticator_.caller.scope = Scope::admin;
        auto request = post_request(of(alice, act), "");
        request.headers = {};
        EXPECT_EQ(ask(std::move(request)).status(), 202) << "a body is not needed";
        EXPECT_EQ(pending().back().kind, kind);
        EXPECT_EQ(pending().back().reason, "requested by shop");
    }
    EXPECT_EQ(recorded_.lines.size(), acts.size()) << "an audit line each";
    EXPECT_EQ(recorded_.audits, acts.size()) << "kept, whatever is left out otherwise";
    facts_.keys = {bob};
    EXPECT_EQ(post(of(alice, "pause"), "").status(), 404) << "no lane would execute it";
}

TEST_F(CommandRoutes, RefusesImpossibleCommandsWithTheReason) {
    const auto tx = accepted("order-1");
    EXPECT_EQ(post(of(tx, "speedup"), "").type(), "not-possible") << "it is not sent yet";
    EXPECT_EQ(post(of(tx, "resubmit"), "").type(), "not-possible");
    EXPECT_EQ(post(of(tx, "requeue"), "").type(), "not-possible");
    open_lane();
    allocate(tx, 0);
    EXPECT_EQ(post(of(tx, "speedup"), "").status(), 202);
    EXPECT_EQ(post(of(tx, "resubmit"), "").status(), 202);
    EXPECT_EQ(pending().back().kind, CommandKind::resubmit);
    mine(tx, 0, 43);
    EXPECT_EQ(post(of(tx, "cancel"), "").type(), "not-possible") << "it is in a block";
    write({.tx = tx, .expected = {State::tracking, SubState::mined}, .to = {State::confirmed}});
    const auto late = post(of(tx, "cancel"), "");
    EXPECT_EQ(late.status(), 409);
    EXPECT_EQ(late.type(), "already-settled");
    EXPECT_EQ(post(of(tx, "speedup"), "").type(), "already-settled");
    EXPECT_EQ(post("/api/v1/tx/00000000-0000-7000-8000-000000000000/cancel", "").status(), 404);
    authenticator_.caller.scope = Scope::write;
    EXPECT_EQ(post(of(tx, "requeue"), "").status(), 403);
}

TEST_F(CommandRoutes, Failure46AcceptsCommandsForASettledTransactionRemovedByAReorg) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    mine(tx, 0, 43);
    write({.tx = tx, .expected = {State::tracking, SubState::mined}, .to = {State::confirmed}});
    write({.tx = tx,
           .expected = {State::confirmed},
           .to = {State::confirmed, SubState::forked},
           .receipt = RollBackReceipt{}});
    for (const auto* act : {"speedup", "resubmit", "cancel"})
        EXPECT_EQ(post(of(tx, act), "").status(), 202) << act;
    EXPECT_EQ(pending().size(), 3U);
}

TEST_F(CommandRoutes, RejectsAnInvalidReason) {
    const auto tx = accepted("order-1");
    for (const auto& body : {std::string(R"({"why":"x"})"), std::string(R"({"reason":5})"), std::string("[]"),
                             std::string("x"), R"({"reason":")" + std::string(2'000, 'x') + R"("})"}) {
        EXPECT_EQ(post(of(tx, "cancel"), body).status(), 422) << body.substr(0, 30);
    }
    EXPECT_TRUE(pending().empty());
}

TEST_F(CommandRoutes, RequeuesOnceAfterPermanentNonceLoss) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    write({.tx = tx, .expected = {State::tracking}, .to = {State::stuck, SubState::nonce_taken}});
    EXPECT_NE(post(of(tx, "requeue"), "").text("detail").find("not final yet"), std::string::npos);
    write({.tx = tx,
           .expected = {State::stuck, SubState::nonce_taken},
           .to = {State::failed_final, SubState::nonce_taken}});
    EXPECT_EQ(post(of(tx, "requeue"), "").status(), 202);
    EXPECT_EQ(pending().back().kind, CommandKind::requeue);
    const Position lost{State::failed_final, SubState::nonce_taken};
    write({.tx = tx, .expected = lost, .to = lost, .requeue = "by ops"});
    const auto again = post(of(tx, "requeue"), "");
    EXPECT_EQ(again.type(), "not-possible");
    EXPECT_NE(again.text("detail").find(get(fmt::format("/api/v1/tx/{}", tx.value())).text("requeuedAs")),
              std::string::npos);
}

TEST_F(CommandRoutes, ServesHealthChainsClusterAndMetrics) {
    EXPECT_EQ(get("/readyz").text("status"), "ready");
    EXPECT_EQ(get("/metrics").response.body, "up 1\n");
    EXPECT_EQ(get("/openapi.json").text("openapi"), "3.1.0");
    ASSERT_TRUE(run(store_->heartbeat(NodeId("node-1"), "127.0.0.1:8646", {})));
    const auto cluster = get("/api/v1/cluster").json();
    EXPECT_EQ(cluster.at("node"), "node-1");
    EXPECT_EQ(cluster.at("version"), "1.2.3");
    EXPECT_EQ(cluster.at("nodes").at(0).at("address"), "127.0.0.1:8646");
    EXPECT_TRUE(get("/api/v1/chains").json().at("items").at(0).at("head").is_null());
    head_ = {.number = BlockNumber(7), .hash = block(7).hash, .age = 1'250ms};
    const auto chain = get("/api/v1/chains").json().at("items").at(0);
    EXPECT_EQ(chain.at("name"), "dev");
    EXPECT_EQ(chain.at("id"), "eip155:31337");
    EXPECT_EQ(chain.at("head").at("number"), 7);
    EXPECT_EQ(chain.at("head").at("ageSeconds"), 1.25);
    EXPECT_NE(get("/api/v1/chains").response.body.find(R"("ageSeconds":1.250)"), std::string::npos);
}

TEST_F(CommandRoutes, IsNotReadyWhenACheckFails) {
    EXPECT_EQ(get("/readyz").status(), 200);
    for (const auto* what : {"database", "migrations"}) {
        failing_check_ = what;
        EXPECT_EQ(get("/readyz").status(), 503) << what;
    }
    failing_check_ = {};
    EXPECT_EQ(get("/readyz").status(), 200);
}

TEST_F(CommandRoutes, Failure38ReadinessReportsAbilityWithoutDependingOnIt) {
    ability_.chains[ChainRef::evm(31337)] = {.ability = {.cause = AbilityCause::no_head, .since = UnixTime(1s)},
                                             .head = BlockNumber(7)};
    ability_.signers[alice] = {.cause = AbilityCause::no_key};
    const auto answer = get("/readyz");
    EXPECT_EQ(answer.status(), 200) << "to accept needs no chain";
    const auto ability = answer.json().at("ability");
    EXPECT_EQ(ability.at("signersNotAble"), 1) << "whose, is not for everybody";
    const auto chain = ability.at("chains").at(0);
    EXPECT_EQ(chain.at("chain"), "eip155:31337");
    EXPECT_EQ(chain.at("able"), false);
    EXPECT_EQ(chain.at("cause"), "no_head");
    EXPECT_EQ(chain.at("since"), "1970-01-01T00:00:01.000Z");
    EXPECT_EQ(chain.at("head"), 7);
    ASSERT_TRUE(run(store_->heartbeat(NodeId("node-1"), "127.0.0.1:8646", ability_)));
    const auto node = get("/api/v1/cluster").json().at("nodes").at(0).at("ability");
    EXPECT_EQ(node.at("chains").at(0), chain);
    EXPECT_EQ(node.at("signers").at(0).at("cause"), "no_key");
    EXPECT_EQ(node.at("signers").at(0).at("submitter"), Json(alice.to_string()));
}

TEST_F(CommandRoutes, MetricsNeedAKey) {
    authenticator_.admits = false;
    EXPECT_EQ(get("/metrics").status(), 401);
    EXPECT_EQ(get("/readyz").status(), 200) << "a load balancer needs no key";
}

class OpenMetrics : public ApiTest {
protected:
    OpenMetrics() : ApiTest({.open_metrics = true}) {}
};

TEST_F(OpenMetrics, ServeMetricsWithoutAKey) {
    authenticator_.admits = false;
    EXPECT_EQ(get("/metrics").response.body, "up 1\n");
    EXPECT_EQ(get("/api/v1/cluster").status(), 401);
}

}  // namespace
}  // namespace fencepost::api
