// Test helper: a client that sends exactly the given bytes, valid or not, over a real loopback socket.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "base/async/as_result.hpp"
#include "base/async/task.hpp"
#include "http/listen_address.hpp"

namespace fencepost::http {

struct Answer {
    std::string head;  // status line and fields, without the empty line
    std::string body;

    /// 0 when the connection was closed instead.
    [[nodiscard]] int status() const { return head.empty() ? 0 : std::stoi(head.substr(sizeof("HTTP/1.1 ") - 1, 3)); }
    [[nodiscard]] std::string field(std::string_view name) const {
        const auto at = head.find("\r\n" + std::string(name) + ": ");
        if (at == std::string::npos) return "";
        const auto begin = at + name.size() + 4;
        return head.substr(begin, head.find("\r\n", begin) - begin);
    }
};

class TestClient {
public:
    explicit TestClient(const Executor& executor) : socket_(executor) {}

    /// Connects from one of this machine's addresses: all of 127.0.0.0/8 belong to it.
    Task<void> connect(ListenAddress address, std::string from = {}) {
        const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address.host), address.port);
        if (!from.empty()) {
            socket_.open(endpoint.protocol());
            socket_.bind({asio::ip::make_address(from), 0});
        }
        co_await socket_.async_connect(endpoint, asio::use_awaitable);
    }

    /// Ignores an error when the server has closed: its response can still be read.
    Task<void> send(std::string bytes) { co_await asio::async_write(socket_, asio::buffer(bytes), as_result); }

    Task<Answer> receive(bool with_body = true) {
        Answer answer;
        const auto head_end = co_await read_until("\r\n\r\n");
        if (head_end == std::string::npos) co_return answer;
        answer.head = received_.substr(0, head_end);
        received_.erase(0, head_end + 4);
        const auto length = answer.field("Content-Length");
        if (with_body && !length.empty()) {
            while (received_.size() < std::stoul(length) && co_await read_more()) {
            }
            answer.body = received_.substr(0, std::stoul(length));
            received_.erase(0, answer.body.size());
        }
        co_return answer;
    }

    /// Reads until the server closes; returns everything received.
    Task<std::string> receive_rest() {
        while (co_await read_more()) {
        }
        co_return received_;
    }

    void close() { socket_.close(); }
    /// Closes the sending direction and keeps reading.
    void finish_sending() { socket_.shutdown(asio::ip::tcp::socket::shutdown_send); }

private:
    Task<std::size_t> read_until(std::string mark) {
        while (!received_.contains(mark) && co_await read_more()) {
        }
        co_return received_.find(mark);
    }

    Task<bool> read_more() {
        if (closed_) co_return false;  // after the end of the stream a further read in Asio never returns
        std::array<char, 4096> buffer{};
        const auto [error, size] = co_await socket_.async_read_some(asio::buffer(buffer), as_result);
        received_.append(buffer.data(), size);
        closed_ = error.failed();
        co_return !closed_;
    }

    asio::ip::tcp::socket socket_;
    std::string received_;
    bool closed_ = false;
};

}  // namespace fencepost::http
