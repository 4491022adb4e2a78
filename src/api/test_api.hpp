// Test fixture: the whole API without a socket. Requests go to the router, over the real SQLite store, in virtual time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/api.hpp"
#include "base/async/task_group.hpp"
#include "base/text/hex.hpp"
#include "ports/test_chain.hpp"
#include "sim/sim_clock.hpp"
#include "sim/world.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::api {

using namespace std::chrono_literals;
using Json = boost::json::value;

inline const auto alice = SubmitterId::parse("eip155:31337:0x00000000000000000000000000000000000000aa").value();
inline const auto bob = SubmitterId::parse("eip155:31337:0x00000000000000000000000000000000000000bb").value();
inline constexpr auto recipient = "0x00000000000000000000000000000000000000cc";

/// A chain with the answers that the test sets.
class FakeChain final : public fencepost::test::StubChain {
public:
    explicit FakeChain(std::uint64_t id) : StubChain(ChainRef::evm(id)) {}

    std::optional<Wei> owned = Wei(Uint256(1'000));
    std::uint64_t mined = 0;
    std::map<TxHash, TxLocation> seen;
    std::size_t balances_asked = 0;

    [[nodiscard]] Task<RpcResult<Wei>> balance(SubmitterId, At) override {
        ++balances_asked;
        if (!owned) co_return err(RpcError{RpcError::Kind::timed_out, "no answer"});
        co_return *owned;
    }
    [[nodiscard]] Task<RpcResult<Nonce>> transaction_count(SubmitterId, At) override { co_return Nonce(mined); }
    [[nodiscard]] Task<RpcResult<std::optional<TxLocation>>> find(TxHash hash) override {
        const auto found = seen.find(hash);
        co_return found == seen.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> pending_at(SubmitterId, Nonce) override {
        co_return err(RpcError{RpcError::Kind::unsupported, "no pool is shown"});
    }
};

/// Authenticates every request as this caller.
class FakeAuthenticator final : public Authenticator {
public:
    Caller caller{.name = "shop", .scope = Scope::admin};
    bool admits = true;
    std::size_t charged = 0;

    [[nodiscard]] Result<Caller, http::Response> admit(const http::Request& /*request*/, Scope needed) override {
        if (!admits) return err(http::Response{.status = http::StatusCode::unauthorized});
        if (caller.may(needed)) return caller;
        return err(http::Response{.status = http::StatusCode::forbidden});
    }
    void charge(const Caller& /*caller*/, std::size_t more) override { charged += more; }
};

class FakeSubmitterFacts final : public SubmitterFacts {
public:
    std::vector<SubmitterId> keys{alice, bob};
    WindowRules window_rules{};

    [[nodiscard]] bool can_be_served(const SubmitterId& submitter) const override {
        return std::ranges::find(keys, submitter) != keys.end();
    }
    [[nodiscard]] std::vector<SubmitterId> configured() const override { return keys; }
    [[nodiscard]] WindowRules window(const SubmitterId&) const override { return window_rules; }
    [[nodiscard]] std::uint64_t required_confirmations(const SubmitterId&) const override { return 2; }
};

class FakeRules final : public AcceptanceRules {
public:
    std::optional<Refusal> refusal;
    [[nodiscard]] Status<Refusal> check(const SubmitterId&, const Intent&) const override {
        if (refusal) return err(*refusal);
        return {};
    }
};

/// The store's intake, with faults that the test injects.
class FaultyIntake final : public Intake {
public:
    enum class Fault { none, before_commit, after_commit };

    FaultyIntake(Intake& store, Clock& clock) : store_(store), clock_(clock) {}

    Fault next = Fault::none;
    Duration slow{};
    std::vector<std::size_t> batches;

    Task<Result<std::vector<AcceptAnswer>, StoreError>> accept(std::vector<NewIntent> batch) override {
        batches.push_back(batch.size());
        const auto fault = std::exchange(next, Fault::none);
        if (slow != Duration{}) co_await clock_.sleep_for(slow);
        if (fault == Fault::before_commit) co_return err(StoreError::unavailable);
        auto answers = co_await store_.accept(std::move(batch));
        if (fault == Fault::after_commit) co_return err(StoreError::unknown_outcome);
        co_return answers;
    }

private:
    Intake& store_;
    Clock& clock_;
};

class RecordingTelemetry final : public Telemetry, public Log {
public:
    std::map<std::string, std::uint64_t> counted;
    std::size_t observed = 0;
    std::vector<std::uint64_t> measured;
    std::vector<std::string> lines;
    std::size_t audits = 0;

    void count(Counter counter, std::string_view label, std::uint64_t by) override {
        counted[fmt::format("{}/{}", name_of(counter), label)] += by;
    }
    void observe(Latency /*latency*/, Duration /*took*/) override { ++observed; }
    void measure(Size /*size*/, std::uint64_t count) override { measured.push_back(count); }
    void write(Severity /*severity*/, std::string_view message, std::initializer_list<LogField> fields) override {
        std::string line(message);
        for (const auto& [name, value] : fields)
            line += fmt::format(" {}={}", name, value);
        lines.push_back(std::move(line));
    }
    void write_audit(std::string_view message, std::initializer_list<LogField> fields) override {
        ++audits;
        write(Severity::info, message, fields);
    }
};

class ApiTest : public testing::Test {
protected:
    explicit ApiTest(ApiOptions options = {}, std::size_t chains = 1) : options_(options) {
        served_.push_back({.name = "dev", .chain = chain_, .head = [this] { return head_; }});
        if (chains == 2) served_.push_back({.name = "other", .chain = other_chain_});
        start();
    }
    /// Running tasks use what is destroyed here.
    ~ApiTest() override { world_.kill(node_); }

    void start() {
        api_ = std::make_unique<Api>(
            node_.executor(),
            ApiDependencies{
                .intake = intake_,
                .queries = *store_,
                .commands = *store_,
                .nodes = *store_,
                .headers = *store_,
                .relaxed_nonces = *store_,
                .clock = clock_,
                .random = world_.random(),
                .telemetry = recorded_,
                .log = recorded_,
                .authenticator = authenticator_,
                .rules = rules_,
                .submitters = facts_,
                .chains = served_,
                .node = NodeId("node-1"),
                .version = "1.2.3",
                .wake_lane = [this](const SubmitterId& s) { woken_.push_back(s); },
                .is_home_of = [this](const SubmitterId& s) { return s != served_elsewhere_; },
                .ability = [this] { return ability_; },
                .health_checks = {[this] { return run_check("database"); }, [this] { return run_check("migrations"); }},
                .metrics = [] { return std::string("up 1\n"); },
                .openapi = R"({"openapi":"3.1.0"})"},
            options_);
        for (auto& route : api_->routes())
            router_.add(std::move(route));
        world_.spawn(node_, run_until_stopped(&tasks_, api_.get()));
        world_.run_for(Duration{});
    }
    Task<HealthCheck> run_check(std::string name) {
        const bool ok = name != failing_check_;
        co_return HealthCheck{.name = std::move(name), .ok = ok, .detail = {}};
    }
    /// Stops the API as a node does at shutdown.
    void stop() {
        tasks_->cancel();
        world_.run_for(1ms);
    }

    struct Answer {
        http::Response response;
        [[nodiscard]] int status() const { return static_cast<int>(response.status); }
        [[nodiscard]] Json json() const { return boost::json::parse(response.body); }
        [[nodiscard]] std::string text(std::string_view name) const { return text_of(json().as_object(), name); }
        [[nodiscard]] std::string type() const {
            return text("type").substr(std::string_view("urn:fencepost:problem:").size());
        }
        /// The first invalid field, and why.
        [[nodiscard]] std::string field() const { return text_of(first_error(), "field"); }
        [[nodiscard]] std::string why() const { return text_of(first_error(), "detail"); }

    private:
        static std::string text_of(const boost::json::object& object, std::string_view name) {
            return std::string(object.at(name).as_string());
        }
        [[nodiscard]] boost::json::object first_error() const {
            return json().at("errors").as_array().at(0).as_object();
        }
    };

    /// Starts a request; the answer is set once virtual time has reached it.
    std::shared_ptr<std::optional<Answer>> begin(http::Request request) {
        auto kept = std::make_shared<std::optional<Answer>>();
        world_.spawn(node_, keep(&router_, std::move(request), kept));
        return kept;
    }
    Answer ask(http::Request request, Duration within = 1s) {
        const auto kept = begin(std::move(request));
        world_.run_for(within);
        return std::move(kept->value());
    }
    Answer get(const std::string& path, Duration within = 1s) {
        return ask({.path = path.substr(0, path.find('?')),
                    .query = path.contains('?') ? path.substr(path.find('?') + 1) : ""},
                   within);
    }
    static http::Request post_request(std::string path, std::string body) {
        http::Request request{.method = http::Method::post, .path = std::move(path), .body = std::move(body)};
        request.headers.add("Content-Type", "application/json");
        return request;
    }
    Answer post(std::string path, std::string body) { return ask(post_request(std::move(path), std::move(body))); }

    /// The body of a transfer.
    static std::string transfer(std::string_view request, int value = 1, const SubmitterId& from = alice) {
        return fmt::format(R"({{"submitter":"{}","requestId":"{}","payload":{{"to":"{}","value":"{}"}}}})", from,
                           request, recipient, value);
    }
    /// Submits one and returns its id.
    TxId accepted(std::string_view request, const SubmitterId& from = alice) {
        const auto answer = post("/api/v1/tx", transfer(request, 1, from));
        EXPECT_EQ(answer.status(), 202) << answer.response.body;
        return TxId(Uuid::parse(answer.text("txId")).value());
    }

    template <typename T>
    T run(Task<T> task) {
        std::optional<T> kept;
        world_.spawn(node_, keep_value(std::move(task), &kept));
        world_.run_for(1ms);
        return std::move(kept.value());
    }

    // What a lane writes, as far as callers see it.
    void open_lane(const SubmitterId& submitter = alice) {
        fence_ = *run(store_->open(submitter, NodeId("node-1"), 24h)).value().fence;
    }
    void write(TxUpdate update, std::optional<CursorMove> cursor = {}) {
        LaneWrite write{.submitter = alice, .fence = fence_, .cursor = cursor, .transactions = {std::move(update)}};
        ASSERT_EQ(run(store_->write({std::move(write)})).value().at(0), WriteAnswer::applied);
    }
    static TxHash hash(std::uint64_t nonce) {
        TxHash result;
        result.data.fill(static_cast<std::uint8_t>(nonce + 1));
        return result;
    }
    void allocate(const TxId& tx, std::uint64_t nonce) {
        const auto expected = nonce == 0 ? std::nullopt : std::optional(Nonce(nonce));
        const Attempt attempt{.nonce = Nonce(nonce),
                              .hash = hash(nonce),
                              .raw = {1, 2},
                              .fees = DynamicFee{Wei(Uint256(200)), Wei(Uint256(2))},
                              .gas_limit = Gas(21'000)};
        write({.tx = tx,
               .expected = {State::queued},
               .to = {State::allocated},
               .nonce = Nonce(nonce),
               .attempts = {attempt},
               .history = {{HistoryKind::allocated, "first"}}},
              CursorMove{expected, Nonce(nonce + 1)});
        write({.tx = tx, .expected = {State::allocated}, .to = {State::tracking}, .sends = 1});
    }
    static BlockRef block(std::uint64_t number, std::uint8_t branch = 0) {
        const auto hash_of = [branch](std::uint64_t n) {
            BlockHash result;
            result.data[0] = static_cast<std::uint8_t>(n);
            result.data[1] = branch;
            return result;
        };
        return {BlockNumber(number), hash_of(number), hash_of(number - 1)};
    }
    void mine(const TxId& tx, std::uint64_t nonce, std::uint64_t number, bool succeeded = true) {
        write({.tx = tx,
               .expected = {State::tracking},
               .to = {State::tracking, SubState::mined},
               .receipt = Receipt{.hash = hash(nonce),
                                  .block_number = BlockNumber(number),
                                  .block_hash = block(number).hash,
                                  .succeeded = succeeded,
                                  .gas_used = Gas(21'000),
                                  .effective_gas_price = Wei(Uint256(100)),
                                  .contract = {}}});
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("a");
    sim::SimClock clock_{node_};
    std::unique_ptr<store::SqliteStore> store_ = std::move(
        store::SqliteStore::open(
            {.path = ":memory:", .now = [this] { return world_.unix_now(); }, .execution = store::Execution::in_place})
            .value());
    FaultyIntake intake_{*store_, clock_};
    FakeChain chain_{31'337};
    FakeChain other_chain_{5};
    std::optional<HeadView> head_;
    FakeAuthenticator authenticator_;
    FakeRules rules_;
    FakeSubmitterFacts facts_;
    RecordingTelemetry recorded_;
    std::vector<SubmitterId> woken_;
    /// The submitter that another node serves.
    std::optional<SubmitterId> served_elsewhere_;
    std::vector<ServedChain> served_;
    /// The health check that fails.
    std::string failing_check_;
    NodeAbility ability_;
    ApiOptions options_;
    std::unique_ptr<Api> api_;
    http::Router router_;
    Fence fence_;
    TaskGroup* tasks_ = nullptr;

private:
    static Task<void> run_until_stopped(TaskGroup** tasks, Api* api) {
        TaskGroup group(co_await asio::this_coro::executor);
        *tasks = &group;
        group.spawn(api->run());
        co_await group.join();
    }
    static Task<void> keep(const http::Router* router, http::Request request,
                           std::shared_ptr<std::optional<Answer>> kept) {
        kept->emplace(Answer{co_await router->answer(std::move(request))});
    }
    template <typename T>
    static Task<void> keep_value(Task<T> task, std::optional<T>* kept) {
        kept->emplace(co_await std::move(task));
    }
};

}  // namespace fencepost::api
