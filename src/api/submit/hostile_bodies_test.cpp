// The list of hostile bodies against POST /api/v1/tx, on a real store.
#include "api/test_api.hpp"
#include "support/hostile_requests.hpp"

namespace fencepost::api {
namespace {

using HostileBodies = ApiTest;

TEST_F(HostileBodies, AreRefusedAndValidRequestsStillAccepted) {
    for (const auto& hostile : test::hostile_bodies(alice.to_string())) {
        const auto answer = post("/api/v1/tx", hostile.body);
        EXPECT_EQ(answer.status(), 422) << hostile.name;
        EXPECT_LT(answer.response.body.size(), 2'000U) << hostile.name << ": it is repeated without end";
    }
    EXPECT_EQ(post("/api/v1/tx", transfer("beside")).status(), 202);
}

}  // namespace
}  // namespace fencepost::api
