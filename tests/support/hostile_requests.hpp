// Requests that nobody in their right mind sends, as data: whatever server they are sent to answers each with one of
// the statuses named, or closes the connection, and serves others meanwhile.
#pragma once

#include <string>
#include <vector>

namespace fencepost::test {

struct HostileRequest {
    std::string name;
    std::string bytes;
    /// 0: closed without a word.
    std::vector<int> statuses;
};

/// Posted to `path`, which takes POST; the body is JSON where there is one.
[[nodiscard]] std::vector<HostileRequest> hostile_requests(const std::string& path);

/// Bodies for POST /api/v1/tx of a service that signs for `submitter`. Every one of them is a 422.
struct HostileBody {
    std::string name;
    std::string body;
};
[[nodiscard]] std::vector<HostileBody> hostile_bodies(const std::string& submitter);

}  // namespace fencepost::test
