#include "api/auth/caller.hpp"

#include <gtest/gtest.h>

namespace fencepost::api {
namespace {

TEST(Caller, ScopesIncludeLowerScopes) {
    const Caller writer{.name = "shop", .scope = Scope::write};
    EXPECT_TRUE(writer.may(Scope::read));
    EXPECT_TRUE(writer.may(Scope::write));
    EXPECT_FALSE(writer.may(Scope::admin));
}

}  // namespace
}  // namespace fencepost::api
