// Incremental response parser on Beast.
#include "jsonrpc/http_response.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

namespace fencepost::jsonrpc {
namespace {

namespace http = boost::beast::http;

constexpr std::uint32_t max_header_bytes = 16 * 1024;
constexpr unsigned first_final_status = 200;

}  // namespace

struct ResponseParser::Impl {
    explicit Impl(std::size_t max_body_bytes_in) : max_body_bytes(max_body_bytes_in) { renew(); }

    void renew() {
        parser.emplace();
        parser->eager(true);
        parser->header_limit(max_header_bytes);
        parser->body_limit(max_body_bytes);
    }

    [[nodiscard]] Failure failure(const boost::system::error_code& error) const {
        if (error == http::error::body_limit || error == http::error::buffer_overflow) {
            return {Failure::Kind::malformed, fmt::format("the response is longer than {} bytes", max_body_bytes)};
        }
        if (error == http::error::partial_message || error == http::error::end_of_stream) {
            return {Failure::Kind::unreachable, begun ? "the connection was closed in the middle of the response"
                                                      : "the connection was closed before a response"};
        }
        return {Failure::Kind::malformed, fmt::format("the response is not HTTP: {}", error.message())};
    }

    std::size_t max_body_bytes;
    // Can be neither copied nor reused.
    std::optional<http::response_parser<http::string_body>> parser;
    std::string waiting;  // the start of something that the parser needs more of
    bool begun = false;
    bool surplus = false;  // bytes followed the response
};

ResponseParser::ResponseParser(std::size_t max_body_bytes) : impl_(std::make_unique<Impl>(max_body_bytes)) {}
ResponseParser::~ResponseParser() = default;

Result<bool, Failure> ResponseParser::feed(std::string_view bytes) {
    auto& self = *impl_;
    if (bytes.empty()) return false;
    self.begun = true;
    const bool joined = !self.waiting.empty();
    if (joined) {
        self.waiting += bytes;
        bytes = self.waiting;
    }
    std::size_t used = 0;
    while (used < bytes.size()) {
        boost::system::error_code error;
        used += self.parser->put(asio::buffer(bytes.data() + used, bytes.size() - used), error);
        if (error == http::error::need_more) break;
        if (error) return err(self.failure(error));
        if (!self.parser->is_done()) continue;
        if (self.parser->get().result_int() >= first_final_status) {
            self.surplus = used < bytes.size();
            return true;
        }
        self.renew();
    }
    std::string rest(bytes.substr(used));
    self.waiting = std::move(rest);
    return false;
}

Status<Failure> ResponseParser::end() {
    auto& self = *impl_;
    boost::system::error_code error;
    if (!self.parser->got_some()) return err(self.failure(http::error::end_of_stream));
    self.parser->put_eof(error);
    if (error) return err(self.failure(error));
    return {};
}

bool ResponseParser::has_begun() const { return impl_->begun; }

HttpResponse ResponseParser::take() {
    auto message = impl_->parser->release();
    HttpResponse response{.status = message.result_int(), .body = std::move(message.body())};
    if (const auto field = message.find(http::field::retry_after); field != message.end()) {
        response.retry_after = std::string(field->value());
    }
    response.keep_alive = message.keep_alive() && !impl_->surplus;
    return response;
}

}  // namespace fencepost::jsonrpc
