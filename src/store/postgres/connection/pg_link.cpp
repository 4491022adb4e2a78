// Flushes, reads results and detects lost connections.
#include "store/postgres/connection/pg_link.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <sys/socket.h>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::store::pg {

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    while (text.ends_with(' '))
        text.pop_back();
    return text;
}

std::string message_of(const PGresult* result) {
    const char* message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    return one_line(message != nullptr ? message : PQresultErrorMessage(result));
}

Link::Link(const Executor& executor, ConnectionPtr connection) : connection_(std::move(connection)), watch_(executor) {
    PQsetNoticeReceiver(pq(), &Link::on_notice, this);
    const bool ready = PQsetnonblocking(pq(), 1) == 0 && PQenterPipelineMode(pq()) == 1;
    FP_ASSERT(ready, "{}", PQerrorMessage(pq()));
    // Without a descriptor to watch, every wait fails like a lost connection.
    if (!watch_.follow(PQsocket(pq()))) late_ = true;
}

void Link::on_notice(void* link, const PGresult* notice) {
    const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity == nullptr) return;
    static constexpr std::string_view harmless[] = {"NOTICE", "INFO", "LOG", "DEBUG"};
    if (std::ranges::count(harmless, std::string_view(severity)) > 0) return;
    static_cast<Link*>(link)->warning_ = message_of(notice);
    static constexpr std::string_view shutdown_notice[] = {"FATAL", "PANIC"};
    if (std::ranges::count(shutdown_notice, std::string_view(severity)) > 0) static_cast<Link*>(link)->left_ = true;
}

bool Link::is_open() const {
    // The server sends its reason before it closes: read on behind pending input. After that notice it does nothing
    // more, though its end of the socket may stay open for a while.
    static constexpr int attempts = 16;
    for (int i = 0; i < attempts; ++i) {
        if (late_ || left_ || PQstatus(pq()) != CONNECTION_OK) return false;
        char byte = 0;
        const auto size = ::recv(PQsocket(pq()), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (size == 0) return false;
        if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        if (PQconsumeInput(pq()) == 0) return false;
        PQisBusy(pq());  // reads the notice
    }
    return true;
}

// While its answers are not read, the server stops reading requests, so a large batch must read while it writes.
Task<void> Link::flush() {
    while (PQflush(pq()) == 1) {
        if (!co_await watch_.until_either()) late_ = true;
        if (late_ || PQconsumeInput(pq()) == 0) co_return;
    }
}

Task<std::optional<ResultPtr>> Link::next() {
    while (PQisBusy(pq()) != 0) {
        if (!late_ && !co_await watch_.until_readable()) late_ = true;
        if (late_ || PQconsumeInput(pq()) == 0) co_return std::nullopt;
    }
    co_return ResultPtr(PQgetResult(pq()));
}

std::vector<std::string> Link::take_notifications() const {
    std::vector<std::string> payloads;
    while (PGnotify* const notification = PQnotifies(pq())) {
        payloads.emplace_back(notification->extra);
        PQfreemem(notification);
    }
    return payloads;
}

std::string Link::why_lost() const {
    if (late_) return "the database did not answer in time";
    const std::string said = one_line(PQerrorMessage(pq()));
    if (!warning_.empty()) return "the connection to the database was lost: " + warning_;
    return "the connection to the database was lost: " + (said.empty() ? "it was closed by the server" : said);
}

}  // namespace fencepost::store::pg
