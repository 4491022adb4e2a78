#include "support/hostile_requests.hpp"

#include <utility>

#include <fmt/format.h>

namespace fencepost::test {
namespace {

using namespace std::string_literals;

constexpr std::size_t ten_megabytes = 10'000'000;

std::string repeat(std::string_view part, std::size_t count) {
    std::string text;
    text.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        text += part;
    return text;
}

std::string post(const std::string& path, std::string_view fields, std::string_view body = "") {
    return fmt::format("POST {} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{}\r\n{}", path, fields, body);
}

std::string chunked(const std::string& path, std::string_view chunks) {
    return post(path, "Transfer-Encoding: chunked\r\n", chunks);
}

using Requests = std::vector<HostileRequest>;

void add_lengths(Requests& list, const std::string& path) {
    const auto huge = repeat("x", ten_megabytes);
    list.push_back({"a body of 10 MB", post(path, "Content-Length: 10000000\r\n", huge), {413}});
    list.push_back({"a body of 10 MB in one chunk", chunked(path, "989680\r\n" + huge + "\r\n0\r\n\r\n"), {413}});
    list.push_back({"a body of 10 MB in small chunks", chunked(path, repeat("4\r\nabcd\r\n", 2'500'000)), {413}});
    list.push_back({"a length of 2^64", post(path, "Content-Length: 18446744073709551616\r\n"), {400, 413}});
    list.push_back({"a length of 10^30", post(path, "Content-Length: 1" + repeat("0", 30) + "\r\n"), {400, 413}});
    list.push_back({"a negative length", post(path, "Content-Length: -1\r\n"), {400}});
    list.push_back({"a length in hexadecimal", post(path, "Content-Length: 0x10\r\n"), {400}});
    list.push_back({"two lengths", post(path, "Content-Length: 2\r\nContent-Length: 3\r\n", "{} "), {400}});
    list.push_back({"two lengths in one field", post(path, "Content-Length: 2, 3\r\n", "{} "), {400}});
}

void add_chunks(Requests& list, const std::string& path) {
    list.push_back(
        {"a length and chunks", post(path, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), {400}});
    list.push_back({"chunked twice", post(path, "Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), {400}});
    list.push_back({"an unknown transfer coding", post(path, "Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), {400}});
    list.push_back(
        {"a transfer coding of gzip", post(path, "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), {400}});
    list.push_back({"an obfuscated transfer coding",
                    post(path,
                         "Transfer-Encoding:\x0b"
                         "chunked\r\n",
                         "0\r\n\r\n"),
                    {400}});
    list.push_back({"a chunk of 2^64", chunked(path, "10000000000000000\r\n"), {400, 413}});
    list.push_back({"a negative chunk", chunked(path, "-1\r\n\r\n"), {400}});
    list.push_back({"a chunk without a size", chunked(path, "\r\nabc\r\n"), {400}});
    list.push_back({"a chunk longer than its size", chunked(path, "2\r\nabcdef\r\n0\r\n\r\n"), {400}});
    list.push_back({"endless chunk extensions", chunked(path, "4;" + repeat("a=b;", 100'000)), {400, 431}});
    list.push_back({"endless trailers", chunked(path, "0\r\n" + repeat("X: y\r\n", 100'000)), {400, 431}});
}

void add_headers(Requests& list, const std::string& path) {
    list.push_back({"100,000 fields", post(path, repeat("X: y\r\n", 100'000)), {431}});
    list.push_back({"a field of 1 MB", post(path, "X: " + repeat("y", 1'000'000) + "\r\n"), {431}});
    list.push_back({"a name of 1 MB", post(path, repeat("y", 1'000'000) + ": x\r\n"), {400, 431}});
    list.push_back({"a path of 1 MB", "GET /" + repeat("x", 1'000'000) + " HTTP/1.1\r\nHost: a\r\n\r\n", {431}});
    list.push_back({"a field without a colon", post(path, "Nonsense\r\n"), {400}});
    list.push_back({"a space before a colon", post(path, "X : y\r\n"), {400}});
    list.push_back({"a zero byte in a field", post(path, "X: a\0b\r\n"s), {400}});
    list.push_back({"a bare line feed", "POST " + path + " HTTP/1.1\nHost: a\nContent-Length: 0\n\n", {400}});
    list.push_back({"a bare carriage return", post(path, "X: y\rZ: z\r\n"), {400}});
    list.push_back({"no host", "POST " + path + " HTTP/1.1\r\nContent-Length: 0\r\n\r\n", {400}});
    list.push_back({"two hosts", post(path, "Host: b\r\nContent-Length: 0\r\n"), {400}});
}

void add_first_lines(Requests& list) {
    list.push_back({"HTTP/0.9", "GET /livez\r\n\r\n", {400}});
    list.push_back({"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400}});
    list.push_back({"HTTP/9.9", "GET /livez HTTP/9.9\r\nHost: a\r\n\r\n", {400}});
    list.push_back({"a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s + repeat("\x5a", 500), {400}});
    list.push_back({"an SMTP greeting", "EHLO example.org\r\n", {400}});
    list.push_back({"only zeros", std::string(10'000, '\0'), {400}});
    list.push_back({"only line ends", repeat("\r\n", 100'000), {0, 400, 408, 431}});
    list.push_back({"a target that is not UTF-8", "GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n", {400}});
    list.push_back({"a zero byte in the target", "GET /li\0vez HTTP/1.1\r\nHost: a\r\n\r\n"s, {400}});
    list.push_back({"a path traversal", "GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", {400, 404}});
    list.push_back({"an encoded path traversal", "GET /%2e%2e/%00 HTTP/1.1\r\nHost: a\r\n\r\n", {400, 404}});
    list.push_back({"an invalid percent encoding", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", {400, 404}});
    list.push_back({"a CONNECT request", "CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n", {400, 404, 405}});
    list.push_back({"a method of 1 MB", repeat("X", 1'000'000) + " / HTTP/1.1\r\nHost: a\r\n\r\n", {400, 431}});
}

}  // namespace

Requests hostile_requests(const std::string& path) {
    Requests list;
    add_lengths(list, path);
    add_chunks(list, path);
    add_headers(list, path);
    add_first_lines(list);
    return list;
}

namespace {

// A request that is valid except for the payload that a test inserts.
std::string body_with(const std::string& submitter, std::string_view payload) {
    return fmt::format(R"({{"submitter":"{}","requestId":"hostile","payload":{{{}}}}})", submitter, payload);
}

constexpr std::string_view recipient = R"("to":"0x1111111111111111111111111111111111111111")";

std::string value_of(const std::string& submitter, std::string_view value) {
    return body_with(submitter, fmt::format(R"({},"value":{})", recipient, value));
}

void add_texts(std::vector<HostileBody>& list, const std::string& submitter) {
    list.push_back({"an empty body", ""});
    list.push_back({"a truncated object", R"({"submitter":)"});
    list.push_back({"two objects", body_with(submitter, recipient) + "{}"});
    list.push_back({"an array", "[]"});
    list.push_back({"null", "null"});
    list.push_back({"a string", "\"hello\""});
    list.push_back({"100,000 brackets", repeat("[", 100'000)});
    list.push_back({"100,000 nested objects", repeat(R"({"a":)", 100'000)});
    list.push_back({"a duplicate key", R"({"submitter":"a","submitter":"b"})"});
    list.push_back({"bad UTF-8", value_of(submitter, "\"\xff\xfe\"")});
    list.push_back({"a lone surrogate", value_of(submitter, R"("\ud800")")});
    list.push_back({"a comment", "/* */" + body_with(submitter, recipient)});
    list.push_back({"a byte order mark", "\xef\xbb\xbf" + body_with(submitter, recipient)});
    list.push_back({"a very long number", value_of(submitter, repeat("9", 100'000))});
}

void add_amounts(std::vector<HostileBody>& list, const std::string& submitter) {
    for (const auto* const value :
         {"-1", "\"-1\"", "1.5", "1e18", "1e400", "\"1e18\"", "\"1.0\"", "\"+1\"", "\" 1\"", "\"\"", "\"0x\"",
          "\"0xg\"", "true", "[]", "{}", "\"one\"",
          // 2^256 in each notation
          "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"",
          "\"0x10000000000000000000000000000000000000000000000000000000000000000\"",
          "115792089237316195423570985008687907853269984665640564039457584007913129639936"}) {
        list.push_back({fmt::format("a value of {}", value), value_of(submitter, value)});
    }
    for (const auto* const gas : {"\"0\"", "-21000", "\"18446744073709551616\"", "21000.5"}) {
        list.push_back({fmt::format("a gas limit of {}", gas),
                        body_with(submitter, fmt::format(R"({},"gas":{})", recipient, gas))});
    }
}

void add_fields(std::vector<HostileBody>& list, const std::string& submitter) {
    list.push_back({"a nonce", body_with(submitter, fmt::format(R"({},"nonce":7)", recipient))});
    list.push_back({"an unknown field", body_with(submitter, fmt::format(R"({},"vlaue":"1")", recipient))});
    list.push_back({"an address that is too short", body_with(submitter, R"("to":"0x11")")});
    list.push_back({"an address with a wrong checksum",
                    body_with(submitter, R"("to":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD")")});
    list.push_back({"an address that is a number", body_with(submitter, R"("to":17)")});
    list.push_back(
        {"data with an odd number of digits", body_with(submitter, fmt::format(R"({},"data":"0x1")", recipient))});
    list.push_back({"a deployment without data", body_with(submitter, R"("value":"1")")});
    list.push_back({"both data and a call",
                    body_with(submitter, fmt::format(R"body({},"data":"0x","abi":"f()","args":[])body", recipient))});
    list.push_back(
        {"an invalid date", body_with(submitter, fmt::format(R"({},"validUntil":"2026-02-30T00:00:00Z")", recipient))});
    list.push_back(
        {"SQL in the submitter", R"({"submitter":"'; DROP TABLE managed_tx; --","requestId":"a","payload":{}})"});
    list.push_back({"a submitter with a zero byte", R"({"submitter":"eip155:1\u0000","requestId":"a","payload":{}})"});
    list.push_back({"a very long request id", fmt::format(R"({{"submitter":"{}","requestId":"{}","payload":{{{}}}}})",
                                                          submitter, repeat("a", 100'000), recipient)});
}

}  // namespace

std::vector<HostileBody> hostile_bodies(const std::string& submitter) {
    std::vector<HostileBody> list;
    add_texts(list, submitter);
    add_amounts(list, submitter);
    add_fields(list, submitter);
    return list;
}

}  // namespace fencepost::test
