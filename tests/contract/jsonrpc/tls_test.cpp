// Certificates that a client trusts and rejects.
#include "base/startup_error.hpp"
#include "rpc_site.hpp"
#include "test_files.hpp"

namespace fencepost::test {
namespace {

using testing::HasSubstr;

Task<void> call_and_break(RpcSite* site) {
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    EXPECT_EQ(site->server.accepted_connections(), 1U);
    site->server.next({.mode = AnswerMode::half_answer});
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site)).kind, Kind::unreachable);
    site->server.next({.mode = AnswerMode::silence});
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site, in_vain)).kind, Kind::timed_out);
    site->server.next({.mode = AnswerMode::huge_body});
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site)).kind, Kind::malformed);
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
}

TEST(Tls, TrustsExtraAuthority) {
    const auto certificate = make_test_certificate({"DNS:localhost", "IP:127.0.0.1"});
    const CaFile ca(certificate);
    play(call_and_break, {.max_response_bytes = 1'000'000, .ca_file = ca.path}, {.certificate = certificate});
}

Task<void> be_refused(RpcSite* site, std::string why) {
    const auto failure = failure_of(co_await RpcSite::ask(site));
    EXPECT_EQ(failure.kind, Kind::unreachable);
    EXPECT_THAT(failure.what, HasSubstr("certificate not trusted: " + why));
    EXPECT_TRUE(site->server.received().empty());
}

Task<void> refuse_a_stranger(RpcSite* site) { return be_refused(site, "self-signed certificate"); }
TEST(Tls, RejectsUnknownCertificate) {
    play(refuse_a_stranger, {}, {.certificate = make_test_certificate({"IP:127.0.0.1"})});
}

Task<void> refuse_another_address(RpcSite* site) { return be_refused(site, "IP address mismatch"); }
TEST(Tls, RejectsCertificateOfOtherAddress) {
    const auto certificate = make_test_certificate({"DNS:localhost", "IP:127.0.0.2"});
    const CaFile ca(certificate);
    play(refuse_another_address, {.ca_file = ca.path}, {.certificate = certificate});
}

void play_by_name(Task<void> (*script)(RpcSite*), const TestCertificate& certificate) {
    const CaFile ca(certificate);
    RpcSite site({}, {.certificate = certificate});
    HttpJsonRpcOptions options{.url = *Url::parse(fmt::format("https://localhost:{}", site.server.port())),
                               .ca_file = ca.path};
    site.client.emplace(site.context.get_executor(), site.clock, std::move(options));
    run(site.context, RpcSite::host(&site, script(&site)));
}

Task<void> refuse_another_name(RpcSite* site) { return be_refused(site, "hostname mismatch"); }
TEST(Tls, RejectsCertificateOfOtherName) {
    play_by_name(refuse_another_name, make_test_certificate({"DNS:otherhost", "IP:127.0.0.1"}));
}

TEST(Tls, TrustsCertificateOfHostName) { play_by_name(call_once, make_test_certificate({"DNS:localhost"})); }

Task<void> speak_tls_to_none(RpcSite* site) {
    HttpJsonRpcOptions options{.url = *Url::parse(fmt::format("https://127.0.0.1:{}", site->server.port()))};
    site->client.emplace(site->context.get_executor(), site->clock, options);
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site)).kind, Kind::unreachable);
}
TEST(Tls, ServerWithoutTlsFails) { play(speak_tls_to_none); }

TEST(Tls, ReportsMissingCaFileAtStartup) {
    SystemClock clock;
    asio::io_context context;
    const HttpJsonRpcOptions options{.url = *Url::parse("https://host"), .ca_file = "/no/such/file.pem"};
    EXPECT_THROW(HttpJsonRpc(context.get_executor(), clock, options), StartupError);
}

}  // namespace
}  // namespace fencepost::test
