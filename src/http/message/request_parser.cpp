#include "http/message/request_parser.hpp"

#include <algorithm>
#include <optional>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::http {
namespace {

namespace beast_http = boost::beast::http;
using BeastParser = beast_http::request_parser<beast_http::string_body>;

Method to_method(beast_http::verb verb) {
    if (verb == beast_http::verb::get) return Method::get;
    if (verb == beast_http::verb::head) return Method::head;
    if (verb == beast_http::verb::post) return Method::post;
    if (verb == beast_http::verb::put) return Method::put;
    if (verb == beast_http::verb::patch) return Method::patch;
    if (verb == beast_http::verb::delete_) return Method::del;
    return Method::other;
}

RequestFault malformed(std::string_view why) {
    return {ProblemKind::malformed_request, fmt::format("The request cannot be read: {}.", why)};
}
RequestFault header_too_large(const RequestLimits& limits) {
    return {ProblemKind::header_too_large,
            fmt::format("The request line and header fields exceed {} bytes.", limits.header_bytes)};
}
RequestFault body_too_large(const RequestLimits& limits) {
    return {ProblemKind::body_too_large, fmt::format("The body exceeds {} bytes.", limits.body_bytes)};
}

bool is_printable_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

// A client that takes this server for a proxy sends http://host/path; servers must accept it (RFC 9112, section 3.2.2).
std::string_view without_authority(std::string_view target) {
    const auto scheme_end = target.find("://");
    if (target.starts_with('/') || scheme_end == std::string_view::npos) return target;
    const auto path = target.find_first_of("/?", scheme_end + 3);
    return path == std::string_view::npos ? "/" : target.substr(path);
}

// Some clients send a stray line break after a body (RFC 9112, section 2.2).
void skip_empty_lines(std::string_view& rest) {
    while (rest.starts_with("\r\n"))
        rest.remove_prefix(2);
}

void set_target(Request& request, std::string_view target) {
    const auto question = target.find('?');
    request.path = target.substr(0, question);
    request.query = question == std::string_view::npos ? "" : target.substr(question + 1);
}

}  // namespace

struct RequestParser::Impl {
    explicit Impl(RequestLimits limits_in) : limits(limits_in) { begin(); }

    void begin();
    Status<RequestFault> step(std::string_view& rest, bool& stuck);
    Status<RequestFault> read_header();
    [[nodiscard]] RequestFault fault(const boost::system::error_code& error) const;
    [[nodiscard]] RequestStage stage() const;

    RequestLimits limits;
    std::string pending;  // fed and not yet parsed
    std::optional<BeastParser> parser;
    std::size_t header_read = 0;  // bytes of this request's header that are parsed
    bool header_done = false;
    bool client_waits = false;
    IncomingRequest incoming;
};

void RequestParser::Impl::begin() {
    parser.emplace();
    parser->header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    parser->body_limit(limits.body_bytes);
    header_read = 0;
    header_done = false;
    client_waits = false;
    incoming = {};
}

RequestStage RequestParser::Impl::stage() const {
    if (header_done) return parser->is_done() ? RequestStage::complete : RequestStage::body;
    return header_read == 0 && pending.empty() ? RequestStage::idle : RequestStage::header;
}

RequestFault RequestParser::Impl::fault(const boost::system::error_code& error) const {
    if (error == beast_http::error::body_limit) return body_too_large(limits);
    if (error == beast_http::error::header_limit) return header_too_large(limits);
    return malformed(error.message());
}

// Parses one element of the message: the header, a piece of the body, a chunk's header. One at a time, so that the
// header is read before Beast adds trailer fields to it.
Status<RequestFault> RequestParser::Impl::step(std::string_view& rest, bool& stuck) {
    boost::system::error_code error;
    const std::size_t parsed = parser->put(asio::buffer(rest.data(), rest.size()), error);
    rest.remove_prefix(parsed);
    stuck = parsed == 0 || error == beast_http::error::need_more;
    if (error && error != beast_http::error::need_more) return err(fault(error));

    if (!header_done) {
        // Beast's own limit counts only unparsed bytes: a header sent line by line would exceed it unnoticed.
        header_read += parsed;
        const std::size_t header_size = header_read + (parser->is_header_done() ? 0 : rest.size());
        if (header_size > limits.header_bytes) return err(header_too_large(limits));
        if (parser->is_header_done()) return read_header();
    } else if (stuck && rest.size() > limits.header_bytes) {
        // Chunk extensions or trailer fields that exceed the limit.
        return err(header_too_large(limits));
    }
    return {};
}

Status<RequestFault> RequestParser::Impl::read_header() {
    header_done = true;
    const auto& message = parser->get();
    incoming.keep_alive = parser->keep_alive();

    auto& request = incoming.request;
    request.method = to_method(message.method());
    if (!is_printable_ascii(message.target())) return err(malformed("its target is not ASCII"));
    set_target(request, without_authority(message.target()));
    for (const auto& field : message)
        request.headers.add(field.name_string(), field.value());

    const bool is_http11 = message.version() == 11;
    const auto coding = request.headers.find("Transfer-Encoding");
    if (coding && (!is_http11 || !parser->chunked() || !boost::beast::iequals(*coding, "chunked"))) {
        return err(malformed("it has a transfer coding other than chunked"));
    }
    const auto hosts = request.headers.count("Host");
    if (hosts > 1 || (hosts == 0 && is_http11)) return err(malformed("it needs one Host field"));
    client_waits = is_http11 && boost::beast::iequals(request.headers.find("Expect").value_or(""), "100-continue");
    return {};
}

RequestParser::RequestParser(RequestLimits limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestParser::~RequestParser() = default;

void RequestParser::feed(std::string_view bytes) { impl_->pending.append(bytes); }

Result<RequestStage, RequestFault> RequestParser::advance() {
    std::string_view rest = impl_->pending;
    const bool at_start = impl_->header_read == 0 && !impl_->header_done;
    if (at_start) skip_empty_lines(rest);

    // Half of an empty line is skipped together with its other half.
    for (bool stuck = at_start && rest == "\r"; !stuck && !rest.empty() && !impl_->parser->is_done();) {
        if (const auto status = impl_->step(rest, stuck); !status) return err(status.error());
    }
    impl_->pending.erase(0, impl_->pending.size() - rest.size());
    return impl_->stage();
}

bool RequestParser::client_waits() const {
    FP_ASSERT(impl_->stage() == RequestStage::body);
    return impl_->client_waits && impl_->pending.empty() && impl_->parser->get().body().empty();
}

IncomingRequest RequestParser::take() {
    FP_ASSERT(impl_->stage() == RequestStage::complete);
    auto incoming = std::move(impl_->incoming);
    incoming.request.body = std::move(impl_->parser->get().body());
    impl_->begin();
    return incoming;
}

}  // namespace fencepost::http
