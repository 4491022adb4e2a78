// The HSM signer against a real PKCS#11 module.
#include <set>
#include <sys/resource.h>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "base/startup_error.hpp"
#include "codec/from_port.hpp"
#include "signers/pkcs11_signer.hpp"
#include "signers/test_transactions.hpp"
#include "soft_hsm.hpp"

namespace fencepost::signers {
namespace {

using Kind = SignError::Kind;
using test::SoftHsm;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string start_error(Pkcs11Options options) {
    try {
        const Pkcs11Signer signer(std::move(options));
    } catch (const StartupError& error) {
        return error.what();
    }
    return "started";
}

void expect_signed(const Result<SignedTransaction, SignError>& made, const UnsignedTransaction& wanted) {
    ASSERT_TRUE(made) << made.error().what;
    const auto decoded = codec::decode(made->raw);  // decode() refuses a high s
    ASSERT_TRUE(decoded) << decoded.error().what;
    const auto same = codec::same_transaction(*decoded, wanted);
    EXPECT_TRUE(same) << same.error().what;
    EXPECT_EQ(decoded->hash, made->hash);
}

TEST(Pkcs11Signer, SignsWithKeysOnToken) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    hsm.generate_foreign_key(2, "web server");
    Pkcs11Signer signer(hsm.options());
    ASSERT_EQ(signer.addresses().size(), 1);
    const auto address = *signer.addresses().begin();
    EXPECT_TRUE(signer.can_sign_for(SubmitterId::evm(1, address)));
    // SoftHSM's signatures are random: half of them have a high s, and half the other parity.
    std::set<bool> parities;
    for (std::uint64_t nonce = 0; nonce < 40; ++nonce) {
        auto wanted = nonce % 2 == 0 ? dynamic_transaction(address) : legacy_transaction(address);
        wanted.nonce = Nonce(nonce);
        const auto made = run(signer.sign(wanted));
        expect_signed(made, wanted);
        parities.insert(codec::decode(made->raw)->signature.y_parity);
    }
    EXPECT_EQ(parities.size(), 2);
}

TEST(Pkcs11Signer, HasNoKeyForOtherSubmitters) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    Pkcs11Signer signer(hsm.options());
    const auto other = key_of(test_key).address();
    EXPECT_FALSE(signer.can_sign_for(SubmitterId::evm(1, other)));
    EXPECT_EQ(run(signer.sign(dynamic_transaction(other))).error().kind, Kind::no_key);
    auto wanted = dynamic_transaction(*signer.addresses().begin());
    wanted.to = "vitalik.eth";
    EXPECT_EQ(run(signer.sign(wanted)).error().kind, Kind::refused);
}

TEST(Pkcs11Signer, UsesOnlyConfiguredLabels) {
    const SoftHsm hsm;
    hsm.generate_key(1, "one");
    hsm.generate_key(2, "two");
    EXPECT_EQ(Pkcs11Signer(hsm.options()).addresses().size(), 2);
    auto options = hsm.options();
    options.key_labels = {"two"};
    EXPECT_EQ(Pkcs11Signer(std::move(options)).addresses().size(), 1);
}

Task<void> sign_and_note(Pkcs11Signer* signer, UnsignedTransaction wanted, std::vector<std::thread::id>* signed_on) {
    const auto made = co_await signer->sign(wanted);
    expect_signed(made, wanted);
    signed_on->push_back(std::this_thread::get_id());
}

Task<bool> sign_many(Pkcs11Signer* signer, std::vector<std::thread::id>* signed_on) {
    TaskGroup tasks(co_await asio::this_coro::executor);
    for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
        auto wanted = dynamic_transaction(*signer->addresses().begin());
        wanted.nonce = Nonce(nonce);
        tasks.spawn(sign_and_note(signer, wanted, signed_on));
    }
    co_await tasks.join();
    co_return true;
}

/// Of the whole process, or of this thread.
double cpu_seconds(int who) {
    rusage usage{};
    EXPECT_EQ(::getrusage(who, &usage), 0);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(Pkcs11Signer, SignsOffCallerThreadAndResumesOnIt) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    Pkcs11Signer signer(hsm.options());
    std::vector<std::thread::id> signed_on;
    const double process = cpu_seconds(RUSAGE_SELF);
    const double thread = cpu_seconds(RUSAGE_THREAD);
    run(sign_many(&signer, &signed_on));
    // SoftHSM uses the processor. If it ran on this thread, nearly all of that time would be this thread's.
    EXPECT_LT(cpu_seconds(RUSAGE_THREAD) - thread, 0.7 * (cpu_seconds(RUSAGE_SELF) - process));
    EXPECT_EQ(signed_on, std::vector(100, std::this_thread::get_id()));
}

TEST(Pkcs11Signer, SharesModuleBetweenSigners) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    auto first = std::make_unique<Pkcs11Signer>(hsm.options());
    Pkcs11Signer second(hsm.options());
    first.reset();  // must not log the other one out
    const auto wanted = dynamic_transaction(*second.addresses().begin());
    expect_signed(run(second.sign(wanted)), wanted);
}

TEST(Pkcs11Signer, ReportsMissingPartsAtStartup) {
    const SoftHsm hsm;
    const auto with = [&hsm](auto change) {
        auto options = hsm.options();
        change(options);
        return start_error(std::move(options));
    };
    EXPECT_THAT(with([](auto& o) { o.module_path = "/no/such/module.so"; }),
                HasSubstr("the PKCS#11 module /no/such/module.so cannot be loaded"));
    EXPECT_THAT(with([](auto& o) { o.module_path = "libz.so.1"; }), HasSubstr("libz.so.1 is not a PKCS#11 module"));
    EXPECT_EQ(with([](auto& o) { o.token_label = "other"; }), "the HSM has no token labelled \"other\"");
    EXPECT_EQ(with([](auto&) {}), "the token \"fencepost test\" has no key pair of secp256k1");
    hsm.generate_foreign_key(1, "web server");
    EXPECT_EQ(with([](auto& o) { o.key_labels = {"a", "b"}; }),
              "the token \"fencepost test\" has no key pair of secp256k1 labelled a or b");
}

TEST(Pkcs11Signer, ReportsWrongPinWithoutQuotingIt) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    EXPECT_THAT(start_error(hsm.options("73550922")),
                AllOf(HasSubstr("refuses the PIN: C_Login answered CKR_PIN_INCORRECT"), Not(HasSubstr("7355"))));
    EXPECT_THAT(start_error(hsm.options("1")), HasSubstr("refuses the PIN"));
}

TEST(Pkcs11Signer, RejectsSignatureOfMismatchedKeyPair) {
    const SoftHsm hsm;
    hsm.generate_mismatched_key(1, "muddled");
    Pkcs11Signer signer(hsm.options());
    const auto made = run(signer.sign(dynamic_transaction(*signer.addresses().begin())));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, Kind::mismatch);
    EXPECT_THAT(made.error().what, HasSubstr("do not belong together"));
}

TEST(Pkcs11Signer, RecoversWhenTokenReturns) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    Pkcs11Signer signer(hsm.options());
    const auto wanted = dynamic_transaction(*signer.addresses().begin());
    expect_signed(run(signer.sign(wanted)), wanted);
    hsm.take_out();
    for (int i = 0; i < 5; ++i) {
        const auto made = run(signer.sign(wanted));
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().kind, Kind::unavailable) << made.error().what;
    }
    hsm.put_back();
    expect_signed(run(signer.sign(wanted)), wanted);
}

TEST(Pkcs11Signer, NeverRetriesRefusedPin) {
    const SoftHsm hsm;
    hsm.generate_key(1, "hot wallet");
    Pkcs11Signer signer(hsm.options());
    const auto wanted = dynamic_transaction(*signer.addresses().begin());
    hsm.take_out();
    EXPECT_EQ(run(signer.sign(wanted)).error().kind, Kind::unavailable);
    hsm.put_back();
    hsm.change_pin(SoftHsm::pin, "11112222");
    const auto refused = run(signer.sign(wanted));
    EXPECT_EQ(refused.error().kind, Kind::unavailable);
    EXPECT_THAT(refused.error().what, HasSubstr("CKR_PIN_INCORRECT"));
    hsm.change_pin("11112222", SoftHsm::pin);  // even now: the signer cannot know that it would be right
    EXPECT_THAT(run(signer.sign(wanted)).error().what, HasSubstr("not retried before a restart"));
}

}  // namespace
}  // namespace fencepost::signers
