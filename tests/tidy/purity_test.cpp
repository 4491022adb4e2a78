#include "purity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Purity, TheCoreIncludesNoDatabaseHttpOrRpcCode) { EXPECT_TRUE(clean(technology_in_the_core(project()))); }
TEST(Purity, DomainHasNoCoroutine) { EXPECT_TRUE(clean(for_each_file(project(), coroutines_in_domain))); }
TEST(Purity, TimeAndRandomnessComeThroughPorts) { EXPECT_TRUE(clean(for_each_file(project(), hidden_inputs))); }
TEST(Purity, TheCoreHasNoLock) { EXPECT_TRUE(clean(for_each_file(project(), locks_in_the_core))); }
TEST(Purity, NoTaskIsDetached) { EXPECT_TRUE(clean(for_each_file(project(), detached_tasks))); }

std::vector<std::string> technology(const std::string& path, const std::string& header) {
    return places(technology_in_the_core({{path, "#include <" + header + ">\n"}}));
}

TEST(PurityRule, RefusesEveryTechnologyInTheCore) {
    for (const auto* header :
         {"libpq-fe.h", "sqlite3.h", "boost/beast/http.hpp", "boost/json.hpp", "openssl/ssl.h", "librdkafka/rdkafka.h",
          "hiredis/hiredis.h", "curl/curl.h", "yaml-cpp/yaml.h", "prometheus/counter.h", "botan/keccak.h"}) {
        for (const std::string module : {"domain", "ports", "lane", "cluster"}) {
            EXPECT_THAT(technology("src/" + module + "/a.cpp", header), ElementsAre("src/" + module + "/a.cpp:1"));
        }
        EXPECT_THAT(technology("src/store/a.cpp", header), ElementsAre());
    }
}

TEST(PurityRule, RefusesAsioInDomainOnly) {
    EXPECT_THAT(technology("src/domain/a.hpp", "boost/asio/awaitable.hpp"), ElementsAre("src/domain/a.hpp:1"));
    EXPECT_THAT(technology("src/lane/a.hpp", "boost/asio/awaitable.hpp"), ElementsAre());
}

TEST(PurityRule, FollowsProjectHeaders) {
    const SourceTree tree{{"src/base/task.hpp", "#include <boost/asio/awaitable.hpp>\n"},
                          {"src/base/group.hpp", "#include \"base/group.hpp\"\n#include \"base/task.hpp\"\n"},
                          {"src/domain/a.cpp", "#include <map>\n#include \"base/group.hpp\"\n"}};
    const auto findings = technology_in_the_core(tree);
    EXPECT_THAT(places(findings), ElementsAre("src/domain/a.cpp:2"));
    EXPECT_THAT(report(findings), HasSubstr("<boost/asio/awaitable.hpp> through \"base/group.hpp\""));
}

TEST(PurityRule, RefusesCoroutinesInDomainOnly) {
    EXPECT_THAT(places(coroutines_in_domain({"src/domain/a.cpp", "f();\nco_await f();"})),
                ElementsAre("src/domain/a.cpp:2"));
    EXPECT_EQ(coroutines_in_domain({"src/domain/a.cpp", "co_return;"}).size(), 1U);
    EXPECT_EQ(coroutines_in_domain({"src/domain/a.cpp", "co_yield 1;"}).size(), 1U);
    EXPECT_TRUE(clean(coroutines_in_domain({"src/domain/a.cpp", "f();  // not co_await"})));
    EXPECT_TRUE(clean(coroutines_in_domain({"src/lane/a.cpp", "co_await f();"})));
}

TEST(PurityRule, RefusesEveryHiddenInput) {
    for (const auto* code : {"std::chrono::system_clock::now()",
                             "std::chrono::steady_clock::now()",
                             "using C = std::chrono::steady_clock;",
                             "std::chrono::high_resolution_clock::now()",
                             "time(nullptr)",
                             "std::time(nullptr)",
                             "gettimeofday(&t, nullptr)",
                             "clock_gettime(CLOCK_REALTIME, &t)",
                             "std::localtime(&t)",
                             "gmtime_r(&t, &tm)",
                             "std::random_device d;",
                             "std::rand()",
                             "rand()",
                             "std::thread t(f);",
                             "std::jthread t(f);",
                             "std::async(f)",
                             "std::getenv(n)",
                             "asio::steady_timer t(e);",
                             "asio::system_timer t(e);",
                             "asio::deadline_timer t(e);",
                             "asio::high_resolution_timer t(e);",
                             "asio::basic_waitable_timer<C> t(e);",
                             "std::this_thread::sleep_for(s)"}) {
        EXPECT_EQ(hidden_inputs({"src/lane/a.cpp", code}).size(), 1U) << code;
    }
}

TEST(PurityRule, IgnoresLookalikesAndProse) {
    for (const auto* code : {"// steady_clock::now() is not for us", "log(\"std::thread\");", "strand(e)", "operand(1)",
                             "clock.monotonic()", "first_time(0)", "std::this_thread::get_id()",
                             "std::chrono::system_clock::time_point t;", "to_rfc3339(time)"}) {
        EXPECT_TRUE(clean(hidden_inputs({"src/lane/a.cpp", code}))) << code;
    }
}

TEST(PurityRule, AllowsRealInputsInAdaptersAppsAndTheirTests) {
    const std::string code = "steady_clock::now();\n";
    for (const auto* path : {"src/system/a.cpp", "src/store/postgres/a_test.cpp", "apps/fencepost/a.cpp",
                             "tests/integration/a.cpp", "bench/a.cpp"}) {
        EXPECT_TRUE(clean(hidden_inputs({path, code}))) << path;
    }
    for (const auto* path : {"src/base/a.cpp", "src/domain/a.hpp", "src/ports/a.hpp", "src/lane/a_test.cpp",
                             "src/cluster/a.cpp", "src/sim/a.cpp", "tests/scenario/a.cpp"}) {
        EXPECT_EQ(hidden_inputs({path, code}).size(), 1U) << path;
    }
}

TEST(PurityRule, RefusesLocksInSingleThreadedModules) {
    for (const auto* code : {"std::mutex m;", "std::shared_mutex m;", "const std::lock_guard lock(m);",
                             "std::unique_lock lock(m);", "std::scoped_lock lock(m);", "std::condition_variable c;"}) {
        for (const auto* path : {"src/domain/a.cpp", "src/lane/a.cpp", "src/cluster/a.cpp"}) {
            EXPECT_EQ(locks_in_the_core({path, code}).size(), 1U) << path << code;
        }
        EXPECT_TRUE(clean(locks_in_the_core({"src/telemetry/a.cpp", code})));
    }
}

TEST(PurityRule, RefusesDetachedTasksEverywhere) {
    EXPECT_THAT(places(detached_tasks({"apps/a/b.cpp", "\nco_spawn(e, f(), asio::detached);"})),
                ElementsAre("apps/a/b.cpp:2"));
    EXPECT_EQ(detached_tasks({"tests/a.cpp", "#include <boost/asio/detached.hpp>"}).size(), 1U);
    EXPECT_TRUE(clean(detached_tasks({"src/lane/a.cpp", "// never asio::detached\ngroup.spawn(f());"})));
}

}  // namespace
}  // namespace fencepost::tidy
