// Hostile clients against a real server on loopback: each gets a refusal or a closed connection, other clients are
// served meanwhile, and memory does not grow.
#include <deque>
#include <fstream>
#include <malloc.h>
#include <string>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "http/test_site.hpp"
#include "support/hostile_requests.hpp"

namespace fencepost::http {
namespace {

using namespace std::chrono_literals;
using namespace test;
using fencepost::test::hostile_requests;
using fencepost::test::HostileRequest;

// Resident memory of this process.
std::size_t resident_bytes() {
    std::size_t pages = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Memory allocated and not freed: exact to the byte, whereas the kernel counts pages that stay.
std::size_t bytes_in_use() {
    const auto heap = ::mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

constexpr std::size_t megabyte = 1'000'000;
constexpr std::size_t allowed_growth = 30 * megabyte;

ServerOptions hasty() {
    ServerOptions options;
    options.time = {.header = 400ms, .body = 400ms, .idle = 400ms, .response = 400ms, .drain = 400ms};
    return options;
}

// From another address than the hostile clients', so that their number does not count against it.
Task<void> expect_service(Site* site, std::string other_client) {
    const auto begun = site->clock.monotonic();
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address, "127.0.0.2");
    co_await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
    EXPECT_EQ((co_await client.receive()).body, "{}") << "other_client " << other_client;
    EXPECT_LT(site->clock.monotonic() - begun, 10s) << "other_client " << other_client;
}

enum class OtherClient { absent, present };

Task<void> send_and_check(Site* site, HostileRequest hostile, OtherClient other_client = OtherClient::present) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send(hostile.bytes);
    if (other_client == OtherClient::present) co_await expect_service(site, hostile.name);
    const auto answer = co_await client.receive();
    EXPECT_THAT(hostile.statuses, testing::Contains(answer.status())) << hostile.name;
    if (answer.status() != 0) EXPECT_EQ(answer.field("Content-Type"), "application/problem+json") << hostile.name;
}

Task<void> send_all(Site* site) {
    for (auto& hostile : hostile_requests("/echo"))
        co_await send_and_check(site, std::move(hostile));
    EXPECT_TRUE(site->faults.empty()) << fmt::format("{}", fmt::join(site->faults, "; "));
}

TEST(Hostile, RefusesEveryHostileRequestAndServesOthers) {
    auto options = hasty();
    options.time.body = 10s;  // none of them may time out before it is too long
    play(send_all, options);
}

Task<void> repeat(Site* site, std::vector<HostileRequest> list, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (const auto& hostile : list)
            co_await send_and_check(site, hostile, OtherClient::absent);
    }
}

// Thousands of small requests: a leak of a hundred bytes each would show.
Task<void> repeat_all(Site* site) {
    constexpr int many = 300;
    constexpr std::size_t small_size = 20'000;
    auto large = hostile_requests("/echo");
    auto small = large;
    std::erase_if(small, [](const auto& hostile) { return hostile.bytes.size() > small_size; });
    large.resize(3);  // 10 MB each
    co_await repeat(site, small, 1);
    co_await repeat(site, large, 1);
    const auto before = bytes_in_use();
    co_await repeat(site, small, many);
    co_await repeat(site, large, 3);
    EXPECT_LT(bytes_in_use(), before + megabyte);
}

TEST(Hostile, RefusedRequestsDoNotGrowMemory) {
    auto options = hasty();
    options.time.body = 10s;
    play(repeat_all, options);
}

Task<void> cut_short(Site* site) {
    const std::string whole = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n{\"a\": \"b\"}  ";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        TestClient client(site->context.get_executor());
        co_await client.connect(site->address);
        co_await client.send(whole.substr(0, length));
        client.close();
    }
    co_await expect_service(site, "half requests");
}

TEST(Hostile, SurvivesTruncationAnywhere) { play(cut_short, hasty()); }

Task<void> pipeline_nonsense(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    std::string requests;
    for (int i = 0; i < 1'000; ++i)
        requests += get_livez;
    co_await client.send(requests + "nonsense\r\n\r\n" + get_livez);
    for (int i = 0; i < 1'000; ++i)
        EXPECT_EQ((co_await client.receive()).status(), 200) << i;
    EXPECT_EQ((co_await client.receive()).status(), 400);
    EXPECT_EQ(co_await client.receive_rest(), "") << "after an invalid request, nothing is parsed";
}

TEST(Hostile, AnswersPipelineUpToFirstInvalidRequest) { play(pipeline_nonsense, hasty()); }

// Holds many connections of one kind open while another client is served; then the server closes them.
Task<void> hold(Site* site, std::size_t count, std::string bytes, std::string name) {
    std::deque<TestClient> clients;
    for (std::size_t i = 0; i < count; ++i) {
        clients.emplace_back(site->context.get_executor());
        co_await clients.back().connect(site->address);
        co_await clients.back().send(bytes);
    }
    co_await expect_service(site, name);
    for (auto& client : clients)
        std::ignore = co_await client.receive_rest();
    co_await expect_service(site, name + ", after them");
}

Task<void> hold_in_every_way(Site* site) {
    constexpr std::size_t many = 200;
    const auto before = resident_bytes();
    co_await hold(site, many, "POST /echo HTTP/1.1\r\nHost: a\r\nX-Slow: ", "slow headers");
    const auto body = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";
    co_await hold(site, many, body, "slow bodies");
    co_await hold(site, many, body + padding(10'000), "slow bodies that have begun");
    co_await hold(site, many, "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1", "slow chunks");
    co_await hold(site, many, get_livez, "idle connections");
    EXPECT_LT(resident_bytes(), before + allowed_growth);
}

TEST(Hostile, DisconnectsSlowClientsWithoutDelayingOthers) { play(hold_in_every_way, hasty()); }

Task<void> open_a_thousand(Site* site) {
    constexpr std::size_t many = 1'000;
    const auto before = resident_bytes();
    co_await hold(site, many, "", "a thousand silent connections");
    EXPECT_LT(resident_bytes(), before + allowed_growth);
}

TEST(Hostile, ThousandSilentConnectionsLeaveRoomForOthers) {
    auto options = hasty();
    options.time.header = 2s;  // longer than it takes to open them
    play(open_a_thousand, options);
}

Task<void> send_large_bodies_at_once(Site* site) {
    constexpr std::size_t many = 200;
    const auto before = resident_bytes();
    std::deque<TestClient> clients;
    for (std::size_t i = 0; i < many; ++i) {
        clients.emplace_back(site->context.get_executor());
        co_await clients.back().connect(site->address);
        co_await clients.back().send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" +
                                     padding(999'999));
    }
    EXPECT_LT(resident_bytes(), before + 64 * megabyte + allowed_growth) << "although 200 MB were sent";
    co_await expect_service(site, "large bodies");
}

TEST(Hostile, BoundsTotalBodyMemory) {
    auto options = hasty();
    options.time.body = 10s;
    play(send_large_bodies_at_once, options);
}

}  // namespace
}  // namespace fencepost::http
