#include "bench/rpc_rate.hpp"

#include <gtest/gtest.h>

namespace fencepost::bench {
namespace {

TEST(RpcRate, IsMeasured) {
    const auto rate = measure_rpc_calls_per_second(std::chrono::milliseconds(200));
    EXPECT_GT(rate, 1000.0);  // far below what any machine does
    RecordProperty("calls_per_second", static_cast<int>(rate));
    fmt::print("{:.0f} calls/s\n", rate);
}

}  // namespace
}  // namespace fencepost::bench
