#include "modules.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;

TEST(Modules, IncludeOnlyWhatTheDesignAllows) { EXPECT_TRUE(clean(for_each_file(project(), forbidden_edges))); }

bool allowed(const std::string& path, const std::string& include) {
    return forbidden_edges({path, fmt::format("#include \"{}\"\n", include)}).empty();
}

TEST(ModulesRule, AllowsDependenciesOnLowerModules) {
    EXPECT_TRUE(allowed("src/domain/a.cpp", "base/hex.hpp"));
    EXPECT_TRUE(allowed("src/ports/a.hpp", "domain/a.hpp"));
    EXPECT_TRUE(allowed("src/lane/a.cpp", "ports/clock.hpp"));
    EXPECT_TRUE(allowed("src/cluster/a.cpp", "ports/clock.hpp"));
    EXPECT_TRUE(allowed("src/cluster/a.cpp", "lane/a.hpp"));
    EXPECT_TRUE(allowed("src/store/postgres/a.cpp", "store/postgres/b.hpp"));
    EXPECT_TRUE(allowed("src/evm/a.cpp", "ports/chain.hpp"));
    EXPECT_TRUE(allowed("src/evm/a.cpp", "codec/rlp.hpp"));
    EXPECT_TRUE(allowed("src/signers/a.cpp", "codec/sign.hpp"));
    EXPECT_TRUE(allowed("src/codec/a.cpp", "ports/signer.hpp"));
}

TEST(ModulesRule, RefusesDependenciesOnHigherModules) {
    EXPECT_FALSE(allowed("src/base/a.cpp", "domain/a.hpp"));
    EXPECT_FALSE(allowed("src/domain/a.cpp", "ports/a.hpp"));
    EXPECT_FALSE(allowed("src/ports/a.cpp", "lane/a.hpp"));
    EXPECT_FALSE(allowed("src/evm/a.cpp", "lane/a.hpp"));
    EXPECT_FALSE(allowed("src/evm/a.cpp", "cluster/a.hpp"));
    EXPECT_FALSE(allowed("src/store/a.cpp", "sim/a.hpp"));
}

TEST(ModulesRule, RefusesDependenciesOnSiblingModules) {
    EXPECT_FALSE(allowed("src/http/a.cpp", "store/a.hpp"));
    EXPECT_FALSE(allowed("src/http/a.cpp", "system/a.hpp"));
    EXPECT_FALSE(allowed("src/lane/a.cpp", "cluster/a.hpp"));
    EXPECT_FALSE(allowed("src/lane/a.cpp", "store/a.hpp"));
    EXPECT_FALSE(allowed("src/lane/a.cpp", "codec/rlp.hpp"));
    EXPECT_FALSE(allowed("src/http/a.cpp", "codec/rlp.hpp"));
    EXPECT_FALSE(allowed("src/codec/a.cpp", "evm/a.hpp"));
}

TEST(ModulesRule, AllowsEverythingForSimAppsAndTestsOnly) {
    EXPECT_TRUE(allowed("src/sim/a.cpp", "lane/a.hpp"));
    EXPECT_TRUE(allowed("src/sim/a.cpp", "evm/a.hpp"));
    EXPECT_TRUE(allowed("src/sim/a.cpp", "codec/rlp.hpp"));
    EXPECT_TRUE(allowed("apps/fencepost/a.cpp", "store/a.hpp"));
    EXPECT_TRUE(allowed("tests/scenario/a.cpp", "sim/a.hpp"));
}

TEST(ModulesRule, AllowsSystemInUnitTestsOfSocketAdapters) {
    EXPECT_TRUE(allowed("src/http/a_test.cpp", "system/clock.hpp"));
    EXPECT_FALSE(allowed("src/http/a_test.cpp", "store/a.hpp"));
    EXPECT_FALSE(allowed("src/lane/a_test.cpp", "system/clock.hpp"));
}

TEST(ModulesRule, AllowsSharedCodecAndJsonRpcForEvmAndSigners) {
    EXPECT_TRUE(allowed("src/evm/a.cpp", "codec/a.hpp"));
    EXPECT_TRUE(allowed("src/signers/a.cpp", "jsonrpc/a.hpp"));
    EXPECT_FALSE(allowed("src/signers/a.cpp", "evm/a.hpp"));
    EXPECT_FALSE(allowed("src/http/a.cpp", "jsonrpc/a.hpp"));
}

TEST(ModulesRule, NamesFileLineAndRemedy) {
    const auto findings = forbidden_edges({"src/http/a.cpp", "#include <map>\n\n#include <store/a.hpp>\n"});
    EXPECT_THAT(places(findings), ElementsAre("src/http/a.cpp:3"));
    EXPECT_EQ(findings[0].what,
              "Module http must not include \"store/a.hpp\": it may include only {base, domain, ports}. "
              "Go through a port, or move the code.");
}

TEST(ModulesRule, RefusesRelativePaths) { EXPECT_FALSE(allowed("src/domain/a.cpp", "../lane/a.hpp")); }

TEST(ModulesRule, RefusesUnknownModules) {
    EXPECT_THAT(places(forbidden_edges({"src/utils/CMakeLists.txt", ""})), ElementsAre("src/utils/CMakeLists.txt:1"));
    EXPECT_EQ(module_of("src/CMakeLists.txt"), "");
}

}  // namespace
}  // namespace fencepost::tidy
