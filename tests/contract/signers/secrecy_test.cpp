// No error output contains a key, a password, a PIN or a token.
#include <functional>

#include <boost/asio/io_context.hpp>
#include <botan/base64.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/startup_error.hpp"
#include "base/text/hex.hpp"
#include "base/uint256.hpp"
#include "codec/sign.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "leaks.hpp"
#include "sample_signer.hpp"
#include "signers/dev_keys.hpp"
#include "signers/key_file.hpp"
#include "signers/remote_signer.hpp"
#include "signers/test_transactions.hpp"
#include "soft_hsm.hpp"
#include "support/child_process.hpp"
#include "support/scripted_rpc_server.hpp"
#include "support/temp_folder.hpp"
#include "system/system_clock.hpp"

namespace fencepost::signers {
namespace {

using test::Leaks;
using test::ScriptedRpcServer;
using test::SoftHsm;
using test::TempFolder;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string right_password = "Tr0ub4dor&3 is not enough";
const std::string wrong_password = "Tr0ub4dor&4 is neither";
const std::string token = "hV8sJx2QpLz9";
const std::string wrong_pin = "91827364";

Leaks all_secrets() {
    Leaks leaks;
    leaks.add_key("the key", test_key);
    leaks.add_key("the other key", other_test_key);
    leaks.add_text("the password", right_password);
    leaks.add_text("the wrong password", wrong_password);
    leaks.add_text("the token", token);
    leaks.add_text("the PIN", SoftHsm::pin);
    leaks.add_text("the wrong PIN", wrong_pin);
    return leaks;
}

/// Everything that a piece of work outputs: standard output, standard error, and exceptions.
std::string said_by(const std::function<void()>& work) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    std::string thrown;
    try {
        work();
    } catch (const std::exception& error) {
        thrown = error.what();
    }
    return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr() + thrown;
}

/// For a Result whose error is a sentence, or contains one.
template <typename T>
void say_error(const Result<T, std::string>& result) {
    fmt::print("{}\n", result ? "no error" : result.error());
}
template <typename T>
void say_error(const Result<T, SignError>& result) {
    fmt::print("{}\n", result ? "no error" : result.error().what);
}

struct Secrecy : testing::Test {
    /// Also checks that the intended failure occurred: a test that did not fail would prove nothing.
    void expect_secret(const std::string& output, std::string_view meant) const {
        EXPECT_THAT(output, HasSubstr(meant));
        EXPECT_THAT(leaks.in(output), IsEmpty()) << output;
    }
    /// The output of fencepost key with the text on standard input.
    std::string key_command(const std::string& arguments, std::string_view input = "") const {
        folder.write("input", input);
        const auto log = (folder.path() / "log").string();
        std::filesystem::remove(log);
        test::ChildProcess shell(
            {"/bin/sh", "-c", fmt::format("exec '{}' key {} <input", FENCEPOST_PROGRAM, arguments)},
            {.folder = folder.path().string(), .log = log});
        EXPECT_NE(shell.wait(), 0);
        return test::text_of(log);
    }

    Leaks leaks = all_secrets();
    TempFolder folder;
};

TEST_F(Secrecy, InFailingCommands) {
    folder.write("password", right_password);
    folder.write("key", test_key);
    folder.write("muddled", std::string(test_key) + " " + right_password);
    const std::string into = "import --keystore keys --weak --password-file password";
    expect_secret(key_command(into, std::string(test_key) + "7"), "standard input does not contain a key");
    expect_secret(key_command(into, std::string(test_key).substr(2)), "standard input does not contain a key");
    expect_secret(key_command(into + " --key-file muddled"), "muddled does not contain a key");
    // Users who mix up options, or put a secret in the wrong place.
    expect_secret(key_command("list --keystore key"), "cannot be read");
    expect_secret(key_command("new --keystore no/such --weak --password-file password"), "cannot be made");
    ASSERT_TRUE(write_key_file(folder.path() / "keys", key_of(test_key), Secret(right_password), ScryptCost::weak()));
    expect_secret(key_command(into, test_key), "holds the key of");
    folder.write("keys/muddled.json", fmt::format("{{\"version\": 3, \"address\": \"{}\"}}", test_key));
    expect_secret(key_command("list --keystore keys"), "its field \"address\" is not an address");
}

TEST_F(Secrecy, InKeyFilesThatDoNotOpen) {
    const auto path =
        write_key_file(folder.path() / "keys", key_of(test_key), Secret(right_password), ScryptCost::weak());
    expect_secret(said_by([&] { say_error(read_key_file(*path, Secret(wrong_password))); }), "the password is wrong");
    expect_secret(said_by([&] { (void)load_keystore_folder(path->parent_path(), Secret(wrong_password)); }),
                  "the password is wrong");
    auto text = test::text_of(*path);
    const auto at = text.find("\"address\":\"") + 11;
    text.replace(at, 40, key_of(other_test_key).address().to_lower().substr(2));
    const auto renamed = folder.write("renamed", text);
    expect_secret(said_by([&] { say_error(read_key_file(renamed, Secret(right_password))); }),
                  "but it holds the key of");
    text.replace(text.find("\"kdf\""), 5, "\"kfd\"");
    const auto damaged = folder.write("damaged", text);
    expect_secret(said_by([&] { say_error(read_key_file(damaged, Secret(right_password))); }), "damaged is damaged");
}

TEST_F(Secrecy, InRefusedPlainKeys) {
    const std::string keys = std::string(test_key) + "," + std::string(other_test_key);
    expect_secret(said_by([&] { (void)dev_keys(Secret(keys), false); }), "refused without --dev");
    expect_secret(said_by([&] { (void)dev_keys(Secret(keys + "0"), true); }), "plain key number 2 is not a key");
    expect_secret(said_by([&] { (void)dev_keys(Secret(keys + "," + right_password), true); }), "plain key number 3");
}

Task<bool> ask_for_garbage(ScriptedRpcServer* server, RemoteSigner* signer) {
    say_error(co_await signer->refresh());
    say_error(co_await signer->sign(dynamic_transaction(test_address)));
    server->next({.mode = test::AnswerMode::http_status, .text = "you sent Bearer " + token, .status = 403});
    say_error(co_await signer->sign(dynamic_transaction(test_address)));
    server->next({.mode = test::AnswerMode::html});
    say_error(co_await signer->sign(dynamic_transaction(test_address)));
    co_await server->stop();
    co_return true;
}

TEST_F(Secrecy, InGarbageFromRemoteSigner) {
    // It answers with keys, which no proper signer would.
    for (const auto* answer : {"0x", "0x02", ""}) {
        const auto output = said_by([answer] {
            asio::io_context context(1);
            SystemClock clock;
            ScriptedRpcServer server(context.get_executor(), clock);
            server.on_call([answer](std::string_view method, const auto&) -> test::CallResult {
                if (method == "eth_accounts") return boost::json::array{key_of(test_key).address().to_lower()};
                return boost::json::value(answer + std::string(test_key));
            });
            jsonrpc::HttpJsonRpc rpc(
                context.get_executor(), clock,
                {.url = *jsonrpc::Url::parse(server.url()), .headers = {{"Authorization", "Bearer " + token}}});
            RemoteSigner signer(rpc);
            run(context, ask_for_garbage(&server, &signer));
        });
        expect_secret(output, "is not a signed transaction");
        expect_secret(output, "403");
    }
}

TEST_F(Secrecy, InRefusedPin) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    expect_secret(said_by([&] { const Pkcs11Signer signer(hsm.options(wrong_pin)); }), "refuses the PIN");
    auto elsewhere = hsm.options();
    elsewhere.token_label = "other";
    expect_secret(said_by([&] { const Pkcs11Signer signer(std::move(elsewhere)); }), "no token labelled");
}

TEST_F(Secrecy, InSampleSignerOutput) {
    const test::SampleSigner sample(test_key);
    Leaks of_sample = all_secrets();
    of_sample.add_text("the sample's token", test::SampleSigner::token());
    EXPECT_THAT(sample.output(), HasSubstr("signing for 0xf39F"));
    EXPECT_THAT(of_sample.in(sample.output()), IsEmpty());
}

// The search must find planted secrets.
TEST_F(Secrecy, SearchFindsEveryFormOfPlantedSecret) {
    const auto bytes = from_hex(test_key).value();
    auto upper = std::string(test_key);
    std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
    const std::vector<std::string> planted{
        "key: " + std::string(test_key), "0x" + upper, "…" + std::string(test_key).substr(20, 16) + "…",
        Uint256::from_big_endian(bytes)->to_decimal(), "raw " + std::string(bytes.begin(), bytes.end()),
        Botan::base64_encode(bytes.data(), bytes.size()),
        // Behind two bytes, and behind one.
        Botan::base64_encode(bytes.data() + 1, bytes.size() - 1),
        Botan::base64_encode(bytes.data() + 2, bytes.size() - 2), "password=" + right_password, "PIN " + wrong_pin,
        to_hex(as_bytes(token)), "Authorization: Bearer " + token};
    for (const auto& text : planted)
        EXPECT_EQ(leaks.in("fencepost: it failed: " + text + ".").size(), 1) << text;
    EXPECT_THAT(leaks.in("fencepost: it failed."), IsEmpty());
}

}  // namespace
}  // namespace fencepost::signers
