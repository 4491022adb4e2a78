// Reading transactions: one, lists, history, and waiting.
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class GetTx : public ApiTest {
protected:
    explicit GetTx(ApiOptions options = {}) : ApiTest(options) {}

    static std::string path(const TxId& tx, std::string_view more = "") {
        return fmt::format("/api/v1/tx/{}{}", tx.value(), more);
    }
    /// The requests of a list, from its first page to its last.
    std::vector<std::string> requests_in(const std::string& list) {
        std::vector<std::string> requests;
        for (auto path = list;;) {
            const auto page = get(path).json();
            for (const auto& item : page.at("items").as_array())
                requests.emplace_back(item.at("requestId").as_string());
            if (page.at("next").is_null()) return requests;
            path = fmt::format("{}&after={}", list, page.at("next").as_string());
        }
    }
    void settle(const TxId& tx, Position from, State to, std::string error = "") {
        write({.tx = tx,
               .expected = from,
               .to = {to},
               .confirmations = std::vector{block(44), block(45)},
               .error = std::move(error)});
    }
};

TEST_F(GetTx, ShowsStateHashReceiptConfirmationsAndError) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    EXPECT_EQ(get(path(tx)).text("state"), "TRACKING");
    EXPECT_EQ(get(path(tx)).text("txHash"), to_hex_prefixed(hash(0).view()));
    mine(tx, 0, 43, false);
    head_ = {.number = BlockNumber(44), .hash = block(44).hash};
    const auto mined = get(path(tx)).json();
    EXPECT_EQ(mined.at("subState"), "MINED");
    EXPECT_EQ(mined.at("blockNumber"), 43);
    EXPECT_EQ(mined.at("confirmations"), 1);
    EXPECT_EQ(mined.at("receipt").at("succeeded"), false);
    EXPECT_EQ(mined.at("receipt").at("gasUsed"), "21000");
    EXPECT_TRUE(mined.at("error").is_null());
    settle(tx, {State::tracking, SubState::mined}, State::failed_final, "REVERT: out of stock");
    head_ = {.number = BlockNumber(45), .hash = block(45).hash};
    const auto failed = get("/api/v1/tx/by-request?submitter=" + alice.to_string() + "&requestId=order-1").json();
    EXPECT_EQ(failed, get(path(tx)).json()) << "found either way";
    EXPECT_EQ(failed.at("state"), "FAILED_FINAL");
    EXPECT_EQ(failed.at("error").at("code"), "REVERT");
    EXPECT_EQ(failed.at("error").at("detail"), "out of stock");
    EXPECT_EQ(failed.at("confirmations"), 2);
}

TEST_F(GetTx, MarksTransactionsThatNeedAnOperator) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    EXPECT_EQ(get(path(tx)).json().at("needsPerson"), false);
    write({.tx = tx, .expected = {State::tracking}, .to = {State::stuck, SubState::nonce_taken}});
    const auto answer = get(path(tx)).json();
    EXPECT_EQ(answer.at("needsPerson"), true);
    EXPECT_EQ(answer.at("subState"), "NONCE_TAKEN");
}

TEST_F(GetTx, Returns404ForMissingAnd403ForOtherSubmitters) {
    EXPECT_EQ(get("/api/v1/tx/00000000-0000-7000-8000-000000000000").status(), 404);
    EXPECT_EQ(get("/api/v1/tx/17").status(), 422);
    EXPECT_EQ(get("/api/v1/tx/by-request?submitter=" + alice.to_string() + "&requestId=x").status(), 404);
    EXPECT_EQ(get("/api/v1/tx/by-request?requestId=x").field(), "submitter");
    EXPECT_EQ(get("/api/v1/tx/by-request?submitter=" + alice.to_string()).field(), "requestId");
    const auto tx = accepted("order-1");
    EXPECT_EQ(get(path(tx, "?waite=1s")).why(), "unknown parameter; did you mean wait?");
    EXPECT_EQ(get(path(tx, "?wait=%zz")).status(), 400);
    authenticator_.caller = {.name = "shop", .scope = Scope::write, .submitters = std::vector{bob}};
    EXPECT_EQ(get(path(tx)).status(), 403);
    EXPECT_EQ(get("/api/v1/tx?submitter=" + alice.to_string()).status(), 403);
}

TEST_F(GetTx, ListsInPagesInBothOrders) {
    for (int i = 0; i < 5; ++i)
        accepted(fmt::format("order-{}", i), i == 2 ? bob : alice);
    std::vector<std::string> all{"order-0", "order-1", "order-2", "order-3", "order-4"};
    EXPECT_EQ(requests_in("/api/v1/tx?limit=2"), all);
    EXPECT_EQ(requests_in("/api/v1/tx?limit=2&order=oldest"), all);
    std::ranges::reverse(all);
    EXPECT_EQ(requests_in("/api/v1/tx?limit=2&order=newest"), all);
    EXPECT_EQ(requests_in("/api/v1/tx?limit=5&order=newest"), all);
    authenticator_.caller.submitters = std::vector{alice, bob};
    EXPECT_EQ(requests_in("/api/v1/tx?limit=2&order=newest"), all)
        << "of one's own submitters, which are asked for singly";
}

TEST_F(GetTx, RejectsACursorOfTheOtherOrder) {
    for (int i = 0; i < 3; ++i)
        accepted(fmt::format("order-{}", i));
    const auto newest = get("/api/v1/tx?limit=1&order=newest").text("next");
    const auto oldest = get("/api/v1/tx?limit=1").text("next");
    EXPECT_EQ(get("/api/v1/tx?after=" + newest).field(), "after");
    EXPECT_EQ(get("/api/v1/tx?order=newest&after=" + oldest).field(), "after");
    EXPECT_EQ(get("/api/v1/tx?order=upwards").field(), "order");
}

TEST_F(GetTx, FiltersLists) {
    for (int i = 0; i < 5; ++i)
        accepted(fmt::format("order-{}", i), i == 2 ? bob : alice);
    const auto count = [this](const std::string& query) {
        return get("/api/v1/tx" + query).json().at("items").as_array().size();
    };
    EXPECT_EQ(count("?submitter=" + bob.to_string()), 1U);
    EXPECT_EQ(count("?state=QUEUED"), 5U);
    EXPECT_EQ(count("?state=STUCK"), 0U);
    authenticator_.caller.submitters = std::vector{bob};
    EXPECT_EQ(count(""), 1U) << "only one's own";
    authenticator_.caller.submitters = std::vector{bob, alice};
    const auto of_both = get("/api/v1/tx?limit=3").json().at("items").as_array();
    ASSERT_EQ(of_both.size(), 3U);
    EXPECT_EQ(of_both[2].at("requestId"), "order-2");
    for (const auto* wrong :
         {"?state=queued", "?limit=0", "?limit=501", "?limit=x", "?after=17", "?after=s99999999999999999999"})
        EXPECT_EQ(get(std::string("/api/v1/tx") + wrong).status(), 422) << wrong;
}

TEST_F(GetTx, EndsAPageEarlyWhenItWouldBeTooLarge) {
    const std::string code(200'000, 'a');
    for (int i = 0; i < 30; ++i) {
        const auto body =
            fmt::format(R"({{"submitter":"{}","requestId":"{}","payload":{{"data":"0x{}"}}}})", alice, i, code);
        ASSERT_EQ(post("/api/v1/tx", body).status(), 202);
    }
    const auto first = get("/api/v1/tx");
    EXPECT_LT(first.response.body.size(), 5'000'000U);
    const auto count = first.json().at("items").as_array().size();
    const auto rest = get("/api/v1/tx?after=" + first.text("next")).json();
    EXPECT_EQ(count + rest.at("items").as_array().size(), 30U);
    EXPECT_TRUE(rest.at("next").is_null());
}

TEST_F(GetTx, ShowsHistoryAttemptsAndConfirmations) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    const auto history = get(path(tx, "/history")).json().at("items").as_array();
    ASSERT_EQ(history.size(), 2U);
    EXPECT_EQ(history[1].at("kind"), "allocated");
    EXPECT_EQ(history[1].at("node"), "node-1");
    EXPECT_EQ(history[1].at("times"), 1);
    const auto attempts = get(path(tx, "/attempts")).json().at("items").as_array();
    ASSERT_EQ(attempts.size(), 1U);
    EXPECT_EQ(attempts[0].at("nonce"), 0);
    EXPECT_EQ(attempts[0].at("fees").at("maxFeePerGas"), "200");
    EXPECT_TRUE(get(path(tx, "/confirmations")).json().at("items").as_array().empty());
    mine(tx, 0, 43);
    ASSERT_TRUE(run(store_->record(alice.chain(), {block(44), block(45), block(44, 1)})));
    const auto growing = get(path(tx, "/confirmations")).json();
    EXPECT_EQ(growing.at("required"), 2);
    EXPECT_EQ(growing.at("settled"), false);
    ASSERT_EQ(growing.at("items").as_array().size(), 2U);
    EXPECT_EQ(growing.at("items").at(0).at("number"), 44);
    EXPECT_EQ(growing.at("items").at(0).at("parentHash"), get(path(tx)).json().at("receipt").at("blockHash"));
    EXPECT_EQ(growing.at("items").at(1).at("parentHash"), growing.at("items").at(0).at("hash"));
    EXPECT_EQ(growing.at("newFork"), false);
    settle(tx, {State::tracking, SubState::mined}, State::confirmed);
    const auto kept = get(path(tx, "/confirmations")).json();
    EXPECT_EQ(kept.at("settled"), true);
    EXPECT_EQ(kept.at("items"), growing.at("items"));
}

TEST_F(GetTx, AttemptsShowFeesAndReplacement) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    const auto original = hash(0);
    const auto bumped = hash(17);
    write({.tx = tx,
           .expected = {State::tracking},
           .to = {State::tracking},
           .attempts = {{.kind = AttemptKind::bump,
                         .nonce = Nonce(0),
                         .hash = bumped,
                         .raw = {1, 2},
                         .fees = DynamicFee{Wei(Uint256(300)), Wei(Uint256(3))},
                         .gas_limit = Gas(21'000)}}});
    const auto attempts = get(path(tx, "/attempts")).json().at("items").as_array();
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(attempts[0].at("txHash").as_string(), to_hex_prefixed(original.view()));
    EXPECT_EQ(attempts[0].at("replacedByHash").as_string(), to_hex_prefixed(bumped.view()));
    EXPECT_EQ(attempts[1].at("txHash").as_string(), to_hex_prefixed(bumped.view()));
    EXPECT_TRUE(attempts[1].at("replacedByHash").is_null());
    EXPECT_EQ(attempts[1].at("fees").at("maxFeePerGas"), "300");
}

TEST_F(GetTx, HistoryShowsTheLastDiagnosis) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    const auto note = [&](const std::string& words) {
        write({.tx = tx,
               .expected = {State::tracking},
               .to = {State::tracking},
               .history = {{HistoryKind::diagnosed, words}}});
    };
    note("dropped: no pool has it");
    note("underpriced: it offers too little");
    const auto history = get(path(tx, "/history")).json().at("items").as_array();
    ASSERT_FALSE(history.empty());
    EXPECT_EQ(history.back().at("kind"), "diagnosed");
    EXPECT_EQ(history.back().at("detail"), "underpriced: it offers too little");
}

TEST_F(GetTx, ConfirmationsAfterABlockReturnTheRestOrAllAfterAFork) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    mine(tx, 0, 43);
    ASSERT_TRUE(run(store_->record(alice.chain(), {block(44), block(45), block(44, 1)})));
    const auto ask_after = [&](const BlockRef& seen) {
        return get(path(tx, "/confirmations?after=" + to_hex_prefixed(seen.hash.view()))).json();
    };
    const auto numbers = [](const Json& answer) {
        std::vector<std::int64_t> all;
        for (const auto& item : answer.at("items").as_array())
            all.push_back(item.at("number").to_number<std::int64_t>());
        return all;
    };
    EXPECT_EQ(numbers(ask_after(block(44))), std::vector<std::int64_t>{45});
    EXPECT_EQ(ask_after(block(44)).at("newFork"), false);
    EXPECT_TRUE(numbers(ask_after(block(45))).empty());
    EXPECT_EQ(ask_after(block(45)).at("newFork"), false);
    const auto forked = ask_after(block(44, 1));
    EXPECT_EQ(numbers(forked), (std::vector<std::int64_t>{44, 45}));
    EXPECT_EQ(forked.at("newFork"), true);
    EXPECT_EQ(get(path(tx, "/confirmations?after=0x12")).field(), "after");
}

TEST_F(GetTx, DiagnosisExplainsTheState) {
    const auto first = accepted("order-1");
    const auto second = accepted("order-2");
    EXPECT_NE(get(path(first, "/diagnosis")).text("sentence").find("waits for a node"), std::string::npos);
    open_lane();
    EXPECT_NE(get(path(first, "/diagnosis")).text("sentence").find("It is queued."), std::string::npos);
    allocate(first, 0);
    allocate(second, 1);
    EXPECT_EQ(get(path(first, "/diagnosis")).text("likely"), "lost");
    const auto behind = get(path(second, "/diagnosis")).json();
    EXPECT_EQ(behind.at("likely"), "gap_below");
    EXPECT_EQ(behind.at("gap"), 0);
    chain_.seen = {{hash(0), {}}, {hash(1), {}}};
    EXPECT_EQ(get(path(second, "/diagnosis")).text("likely"), "in_pool");
    head_ = {.number = BlockNumber(1), .hash = {}, .base_fee = Wei(Uint256(250))};
    EXPECT_EQ(get(path(second, "/diagnosis")).text("shortBy"), "50");
}

TEST_F(GetTx, DiagnosisOfAQueuedTransactionNamesTheQueue) {
    const auto first = accepted("order-1");
    const auto second = accepted("order-2");
    open_lane();
    allocate(first, 0);
    EXPECT_NE(get(path(second, "/diagnosis")).text("sentence").find("in flight before it: 1."), std::string::npos)
        << "there is room";
    LaneWrite change{.submitter = alice, .fence = fence_, .window = WindowState{1, WindowLimit::pool_full}};
    EXPECT_EQ(run(store_->write({change})).value().at(0), WriteAnswer::applied);
    const auto since = to_rfc3339_milliseconds(*run(store_->submitter(alice)).value().window_since);
    const auto diagnosis = get(path(second, "/diagnosis")).json();
    EXPECT_EQ(diagnosis.at("likely"), "window_full");
    EXPECT_EQ(diagnosis.at("sentence"),
              boost::json::string_view(fmt::format(
                  "It is queued behind 1 transaction: the window is 1 (limited by pool_full since {}).", since)));
    EXPECT_EQ(diagnosis.at("window").at("size"), 1);
    EXPECT_EQ(diagnosis.at("window").at("limit"), "pool_full");
    EXPECT_EQ(diagnosis.at("window").at("since"), boost::json::string_view(since));
    EXPECT_EQ(diagnosis.at("window").at("behind"), 1);

    change = {.submitter = alice, .fence = fence_, .status = StatusChange{SubmitterStatus::paused, "month's end"}};
    EXPECT_EQ(run(store_->write({change})).value().at(0), WriteAnswer::applied);
    EXPECT_NE(get(path(second, "/diagnosis")).text("sentence").find("is paused"), std::string::npos);
    change.status = StatusChange{};
    EXPECT_EQ(run(store_->write({change})).value().at(0), WriteAnswer::applied);
    EXPECT_TRUE(run(store_->release({{alice, fence_}})).has_value());
    EXPECT_NE(get(path(second, "/diagnosis")).text("sentence").find("waits for a node"), std::string::npos)
        << "room would not help it";
    open_lane();
    mine(first, 0, 43);
    EXPECT_NE(get(path(second, "/diagnosis")).text("sentence").find("It is queued."), std::string::npos)
        << "what is mined takes no room";
}

TEST_F(GetTx, DiagnosisDoesNotCallWithheldTransactionsLost) {
    std::vector<TxId> txs;
    open_lane();
    for (std::uint64_t nonce = 0; nonce < 4; ++nonce) {
        txs.push_back(accepted(fmt::format("order-{}", nonce)));
        allocate(txs.back(), nonce);
    }
    facts_.window_rules = 2;
    chain_.seen = {{hash(0), {}}, {hash(1), {}}};
    EXPECT_EQ(get(path(txs[1], "/diagnosis")).text("likely"), "in_pool");
    EXPECT_TRUE(get(path(txs[1], "/diagnosis")).json().at("window").is_null());
    const auto third = get(path(txs[2], "/diagnosis")).json();
    EXPECT_EQ(third.at("likely"), "window_full");
    EXPECT_EQ(third.at("window").at("behind"), 2);
    EXPECT_EQ(third.at("sentence"),
              "nonce 2 is queued behind 2 transactions: the window is 2 (limited by nonce.window)");
    EXPECT_EQ(get(path(txs[3], "/diagnosis")).json().at("window").at("behind"), 3);
    chain_.seen = {{hash(1), {}}};
    EXPECT_EQ(get(path(txs[2], "/diagnosis")).text("likely"), "gap_below") << "nonce 0 must be sent again first";
}

TEST_F(GetTx, Failure46DiagnosisListsCommandsAfterAReorgRemovedTheBlock) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    mine(tx, 0, 43);
    const Position removed{State::confirmed, SubState::forked};
    write({.tx = tx, .expected = {State::tracking, SubState::mined}, .to = {State::confirmed}});
    EXPECT_NE(get(path(tx, "/diagnosis")).text("sentence").find("executed and confirmed"), std::string::npos);
    write({.tx = tx, .expected = {State::confirmed}, .to = removed, .receipt = RollBackReceipt{}});
    const auto diagnosis = get(path(tx, "/diagnosis"));
    EXPECT_NE(diagnosis.text("sentence").find("or cancelled, which revokes the verdict"), std::string::npos);
    EXPECT_EQ(diagnosis.text("likely"), "lost") << "pools are looked at, too";
    EXPECT_EQ(get(path(tx)).json().at("verdictRevoked"), false);

    write({.tx = tx, .expected = removed, .to = removed, .abandonment = Abandonment::revoked});
    EXPECT_EQ(get(path(tx)).json().at("verdictRevoked"), true);
    EXPECT_EQ(get(path(tx)).text("state"), "CONFIRMED");
    EXPECT_NE(get(path(tx, "/diagnosis")).text("sentence").find("a no-op transaction"), std::string::npos);
    write({.tx = tx, .expected = removed, .to = {State::confirmed}});
    EXPECT_NE(get(path(tx, "/diagnosis")).text("sentence").find("the verdict no longer holds"), std::string::npos);
}

}  // namespace
}  // namespace fencepost::api
