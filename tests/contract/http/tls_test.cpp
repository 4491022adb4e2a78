// The server over TLS, against a client of the same library: client certificates, protocol versions, and clients that
// do not speak TLS.
#include <filesystem>
#include <optional>
#include <string>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "base/async/as_result.hpp"
#include "base/startup_error.hpp"
#include "http/test_site.hpp"
#include "support/temp_folder.hpp"
#include "support/test_certificate.hpp"

namespace fencepost::http {
namespace {

using namespace std::chrono_literals;
using namespace test;
using asio::ip::tcp;
using fencepost::test::make_test_certificate;
using fencepost::test::TempFolder;
using fencepost::test::TestCertificate;
using testing::HasSubstr;

struct TlsSite {
    TempFolder folder;
    TestCertificate certificate = make_test_certificate({"IP:127.0.0.1"});
    TestCertificate client = make_test_certificate({"DNS:client"});
    TestCertificate unknown = make_test_certificate({"DNS:unknown"});

    [[nodiscard]] ServerOptions options(bool clients_have_certificates = false) const {
        ServerOptions options;
        options.tls = {.certificate = folder.write("server.pem", certificate.certificate_pem),
                       .key = folder.write("server.key", certificate.key_pem)};
        if (clients_have_certificates) {
            options.tls->client_authorities = folder.write("clients.pem", client.certificate_pem);
        }
        return options;
    }
};

struct TlsClientOptions {
    const TestCertificate* certificate = nullptr;  // presented by the client
    std::string protocols{};                       // offered by the client, each with its length in front
    int newest = TLS1_3_VERSION;
};

struct TlsAnswer {
    bool shaken = false;
    std::string protocol;
    std::string text;  // everything received, up to the end
    bool ended_properly = false;
};

asio::ssl::context client_context(const TlsClientOptions& options) {
    asio::ssl::context context(asio::ssl::context::tls_client);
    SSL_CTX_set_max_proto_version(context.native_handle(), options.newest);
    if (options.newest < TLS1_2_VERSION) {  // Debian's default is as strict as ours: relax only the client
        SSL_CTX_set_min_proto_version(context.native_handle(), options.newest);
        SSL_CTX_set_cipher_list(context.native_handle(), "ALL:@SECLEVEL=0");
    }
    if (options.certificate == nullptr) return context;
    context.use_certificate(asio::buffer(options.certificate->certificate_pem), asio::ssl::context::pem);
    context.use_private_key(asio::buffer(options.certificate->key_pem), asio::ssl::context::pem);
    return context;
}

// Reads everything after one request, until the server closes the connection.
Task<TlsAnswer> ask_over_tls(Site* site, std::string request, TlsClientOptions options) {
    auto context = client_context(options);
    asio::ssl::stream<tcp::socket> stream(site->context, context);
    SSL_set_alpn_protos(stream.native_handle(), reinterpret_cast<const unsigned char*>(options.protocols.data()),
                        static_cast<unsigned>(options.protocols.size()));
    const tcp::endpoint endpoint(asio::ip::make_address(site->address.host), site->address.port);
    co_await stream.next_layer().async_connect(endpoint, asio::use_awaitable);
    TlsAnswer answer;
    const auto [failed] = co_await stream.async_handshake(asio::ssl::stream_base::client, as_result);
    answer.shaken = !failed;
    if (failed) co_return answer;
    const unsigned char* protocol = nullptr;
    unsigned length = 0;
    SSL_get0_alpn_selected(stream.native_handle(), &protocol, &length);
    if (protocol != nullptr) answer.protocol.assign(reinterpret_cast<const char*>(protocol), length);

    co_await asio::async_write(stream, asio::buffer(request), as_result);
    for (;;) {
        std::array<char, 4096> buffer{};
        const auto [error, size] = co_await stream.async_read_some(asio::buffer(buffer), as_result);
        answer.text.append(buffer.data(), size);
        answer.ended_properly = error == asio::error::eof;
        if (error) co_return answer;
    }
}

constexpr auto get_and_close = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

Task<void> expect_livez(Site* site, TlsClientOptions options) {
    const auto answer = co_await ask_over_tls(site, get_and_close, options);
    EXPECT_TRUE(answer.shaken);
    EXPECT_THAT(answer.text, HasSubstr("200 OK"));
    EXPECT_TRUE(answer.ended_properly) << "the client cannot tell whether the answer is complete";
}

Task<void> speak_every_version(Site* site) {
    co_await expect_livez(site, {});
    co_await expect_livez(site, {.newest = TLS1_2_VERSION});
    EXPECT_FALSE((co_await ask_over_tls(site, get_and_close, {.newest = TLS1_1_VERSION})).shaken);
}

TEST(TlsServer, AcceptsOnlyTls12And13) { play(speak_every_version, TlsSite().options()); }

Task<void> negotiate(Site* site) {
    const auto both = co_await ask_over_tls(site, get_and_close, {.protocols = "\x02h2\x08http/1.1"});
    EXPECT_EQ(both.protocol, "http/1.1");
    EXPECT_THAT(both.text, HasSubstr("200 OK"));
    EXPECT_FALSE((co_await ask_over_tls(site, get_and_close, {.protocols = "\x02h2"})).shaken);
}

TEST(TlsServer, NegotiatesOnlyHttp11) { play(negotiate, TlsSite().options()); }

Task<void> send_much(Site* site) {
    constexpr std::size_t large = 900'000;
    const auto request =
        "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + std::to_string(large) + "\r\n\r\n" +
        padding(large);
    EXPECT_GT((co_await ask_over_tls(site, request, {})).text.size(), large);
    const auto refused = co_await ask_over_tls(
        site, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n" + padding(3'000'000), {});
    EXPECT_THAT(refused.text, HasSubstr("413 Content Too Large"));
}

TEST(TlsServer, PassesLargeAndRejectsTooLargeMessages) { play(send_much, TlsSite().options()); }

Task<Response> tell_certificate(Request request) {
    co_return Response{.content_type = "text/plain", .body = "I know " + request.client_certificate};
}

Task<void> show_certificates(Site* site, const TlsSite* files) {
    const auto* const request = "GET /who HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    EXPECT_EQ((co_await ask_over_tls(site, request, {})).text, "");
    EXPECT_EQ((co_await ask_over_tls(site, request, {.certificate = &files->unknown})).text, "");
    const auto known = co_await ask_over_tls(site, request, {.certificate = &files->client});
    EXPECT_THAT(known.text, HasSubstr("I know a test of Fencepost"));
}

TEST(TlsServer, AcceptsOnlyClientCertificatesOfItsAuthorities) {
    const TlsSite files;
    Site site(files.options(true));
    site.router.add({Method::get, "/who", tell_certificate});
    run_site(site, show_certificates(&site, &files));
}

Task<void> speak_plainly(Site* site) {
    const auto answer = co_await ask(site, get_livez);
    EXPECT_EQ(answer.status(), 400);
    EXPECT_THAT(answer.body, HasSubstr("This port speaks TLS"));
    for (const auto* const garbage : {"\x16\x03\x01\xff\xff\xff", "hello?\r\n\r\n", "\x80\x2e\x01"}) {
        TestClient client(site->context.get_executor());
        co_await client.connect(site->address);
        co_await client.send(garbage);
        client.close();
    }
    co_await expect_livez(site, {});
}

TEST(TlsServer, ExplainsTlsToPlainHttpAndClosesGarbage) { play(speak_plainly, TlsSite().options()); }

Task<void> stay_silent(Site* site) {
    const auto begun = site->clock.monotonic();
    for (const std::string half : {"", "\x16\x03\x01\x02", "\x16\x03\x01\x40\x00\x01"}) {
        TestClient client(site->context.get_executor());
        co_await client.connect(site->address);
        co_await client.send(half);
        co_await client.receive_rest();
    }
    EXPECT_LT(site->clock.monotonic() - begun, TimeLimits{}.header);
    co_await expect_livez(site, {});
}

TEST(TlsServer, ClosesStalledHandshake) {
    const TlsSite files;
    auto options = files.options();
    options.time.header = 1s;  // time for the handshake of the last client, which completes it
    play(stay_silent, options);
}

Task<void> stop_amid_handshakes(Site* site) {
    TestClient silent(site->context.get_executor());
    co_await silent.connect(site->address);
    co_await site->clock.sleep_for(10ms);
    site->serving->cancel();
    co_await site->serving->join();
    EXPECT_EQ(co_await silent.receive_rest(), "");
}

TEST(TlsServer, StopDoesNotWaitForHandshakes) {
    const TlsSite files;
    auto options = files.options();
    options.time.drain = 1h;
    play(stop_amid_handshakes, options);
}

std::string startup_error(const TlsFiles& files) {
    asio::io_context context;
    SystemClock clock;
    const Router router;
    try {
        const Server server(context.get_executor(), clock, router, {.listen = {.port = 0}, .tls = files});
    } catch (const StartupError& error) {
        return error.what();
    }
    return "none";
}

TEST(TlsServer, ReportsUnusableFilesAtStartup) {
    const TlsSite site;
    const auto good = *site.options(true).tls;
    EXPECT_EQ(startup_error(good), "none");
    auto files = good;
    files.certificate = "/no/such.pem";
    EXPECT_THAT(startup_error(files), HasSubstr("cannot use /no/such.pem as the server's certificate"));
    files = good;
    files.key = site.folder.write("other.key", site.client.key_pem);
    EXPECT_THAT(startup_error(files), HasSubstr("with the key of that certificate"));
    files = good;
    files.client_authorities = site.folder.write("empty.pem", "");
    EXPECT_THAT(startup_error(files), HasSubstr("the authorities of client certificates"));
}

// A handler that keeps its client waiting until the client closes.
Task<Response> wait_for_departure(Site* site, Request request) {
    site->slow_begun.notify();
    request.client->when_gone([site] { site->bell.notify(); });
    co_await site->bell.wait();
    request.client->when_gone({});
    site->notes.emplace_back("left");
    co_return Response{.content_type = "text/plain", .body = "left"};
}

// A client that is kept waiting.
struct WaitingClient {
    explicit WaitingClient(Site* site) : context(client_context({})), stream(site->context, context) {}

    static Task<void> begin(WaitingClient* self, Site* site) {
        site->router.add(
            {Method::get, "/wait", [site](Request request) { return wait_for_departure(site, std::move(request)); }});
        const tcp::endpoint endpoint(asio::ip::make_address(site->address.host), site->address.port);
        co_await self->stream.next_layer().async_connect(endpoint, asio::use_awaitable);
        co_await self->stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
        co_await send(self, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
        co_await site->slow_begun.wait();
        co_await site->clock.sleep_for(20ms);
        EXPECT_TRUE(site->notes.empty());
    }
    static Task<void> send(WaitingClient* self, std::string_view text) {
        co_await asio::async_write(self->stream, asio::buffer(text), asio::use_awaitable);
    }
    static Task<std::string> receive_until(WaitingClient* self, std::string_view end) {
        std::string received;
        while (!received.ends_with(end)) {
            std::array<char, 4096> buffer{};
            const auto [error, size] = co_await self->stream.async_read_some(asio::buffer(buffer), as_result);
            received.append(buffer.data(), size);
            if (error) break;
        }
        co_return received;
    }

    asio::ssl::context context;
    asio::ssl::stream<tcp::socket> stream;
};

// Sends a TLS close_notify, as a client that leaves does, and waits for the server's.
Task<void> leave_over_tls(Site* site) {
    WaitingClient client(site);
    co_await WaitingClient::begin(&client, site);
    co_await client.stream.async_shutdown(as_result);  // the answer arrives first, which is fine
    EXPECT_EQ(site->notes, std::vector<std::string>{"left"});
}

TEST(TlsServer, NotifiesHandlerWhenClientCloses) { play(leave_over_tls, TlsSite().options()); }

Task<void> go_on_over_tls(Site* site) {
    WaitingClient client(site);
    co_await WaitingClient::begin(&client, site);
    site->bell.notify();
    EXPECT_THAT(co_await WaitingClient::receive_until(&client, "left"), HasSubstr("200 OK"));
    co_await WaitingClient::send(&client, get_livez);
    EXPECT_THAT(co_await WaitingClient::receive_until(&client, ok_body), HasSubstr("200 OK"))
        << "the watch broke the connection";
}

TEST(TlsServer, ReusesConnectionAfterWatch) { play(go_on_over_tls, TlsSite().options()); }

}  // namespace
}  // namespace fencepost::http
