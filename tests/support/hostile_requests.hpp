// Malformed and hostile requests, as data. A server must answer each with one of the listed statuses or close the
// connection, and keep serving other clients.
#pragma once

#include <string>
#include <vector>

namespace fencepost::test {

struct HostileRequest {
    std::string name;
    std::string bytes;
    /// 0: closed without an answer.
    std::vector<int> statuses;
};

/// For `path`, which must accept POST; the body, if any, is JSON.
[[nodiscard]] std::vector<HostileRequest> hostile_requests(const std::string& path);

/// Bodies for POST /api/v1/tx of a service that signs for `submitter`. Each must be answered with 422.
struct HostileBody {
    std::string name;
    std::string body;
};
[[nodiscard]] std::vector<HostileBody> hostile_bodies(const std::string& submitter);

}  // namespace fencepost::test
