// Reads and raises RLIMIT_NOFILE.
#include "system/descriptor_limit.hpp"

#include <sys/resource.h>
#include <tuple>

#include "base/assert.hpp"

namespace fencepost {
namespace {

rlimit read_limit() {
    rlimit limit{};
    FP_ASSERT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    return limit;
}

}  // namespace

DescriptorLimit descriptor_limit() {
    const auto limit = read_limit();
    return {.now = limit.rlim_cur, .most = limit.rlim_max};
}

void raise_descriptor_limit() {
    auto limit = read_limit();
    limit.rlim_cur = limit.rlim_max;
    std::ignore = setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace fencepost
