// Private to src/http: notices that a client closes its end while a handler keeps it waiting. Nobody reads the
// connection then, so that a client that went away would keep its place, and the handler its work, to the end.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "base/async/task_group.hpp"
#include "http/connection.hpp"
#include "http/message/message.hpp"
#include "http/message/request_parser.hpp"

namespace fencepost::http {

/// Reads only once a handler asks for it: most do not wait, and should not pay.
class ClientWatch final : public Client {
public:
    /// What comes meanwhile belongs to the next request and goes, through the buffer, to the parser. All outlive it.
    ClientWatch(Connection& connection, std::span<char> buffer, RequestParser& parser)
        : connection_(connection),
          buffer_(buffer),
          parser_(parser) {}

    void when_gone(std::function<void()> call) override;
    [[nodiscard]] bool has_begun() const { return task_.has_value(); }

    /// If it has begun: to be awaited when the handler has ended, before anything else is done with the connection.
    [[nodiscard]] Task<void> stop();

private:
    static Task<void> watch(ClientWatch* self);

    Connection& connection_;
    std::span<char> buffer_;
    RequestParser& parser_;
    std::optional<TaskGroup> task_{};
    std::function<void()> call_{};
    bool gone_ = false;
};

}  // namespace fencepost::http
