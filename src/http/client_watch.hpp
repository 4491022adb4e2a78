// Private to src/http: detects that a client disconnects while a handler makes it wait. Nothing else reads from the
// connection then; without this, the connection and the handler would live until the handler's deadline.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "base/async/task_group.hpp"
#include "http/connection.hpp"
#include "http/message/message.hpp"
#include "http/message/request_parser.hpp"

namespace fencepost::http {

/// Starts reading only when a handler asks for it, because most handlers do not wait.
class ClientWatch final : public Client {
public:
    /// Bytes that arrive meanwhile belong to the next request and go to the parser. All arguments must outlive it.
    ClientWatch(Connection& connection, std::span<char> buffer, RequestParser& parser)
        : connection_(connection),
          buffer_(buffer),
          parser_(parser) {}

    void when_gone(std::function<void()> call) override;
    [[nodiscard]] bool has_begun() const { return task_.has_value(); }
    /// If it has begun, await this after the handler has ended, before any other use of the connection.
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
