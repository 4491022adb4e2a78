#include "base/crypto/kernel_random.hpp"

#include <array>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(KernelRandom, TwoDrawsDiffer) {
    std::array<std::uint8_t, 32> first{};
    auto second = first;
    fill_from_kernel(first);
    fill_from_kernel(second);
    EXPECT_NE(first, second);
}

}  // namespace
}  // namespace fencepost
