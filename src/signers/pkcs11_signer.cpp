// Session threads, recovery of lost tokens, and verified signatures.
#include "signers/pkcs11_signer.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.hpp"
#include "base/startup_error.hpp"
#include "codec/from_port.hpp"
#include "codec/transaction.hpp"
#include "signers/pkcs11/session.hpp"
#include "signers/sign_errors.hpp"

namespace fencepost::signers {
namespace {

using pkcs11::Failure;
using pkcs11::Module;
using pkcs11::RawSignature;
using pkcs11::Session;
using RawResult = Result<RawSignature, SignError>;

SignError unavailable(std::string what) { return {SignError::Kind::unavailable, std::move(what)}; }

/// The key exists but may not or cannot sign; a retry would not help.
bool is_refusal(const Failure& failure) {
    switch (failure.code) {
        case CKR_KEY_FUNCTION_NOT_PERMITTED:
        case CKR_KEY_TYPE_INCONSISTENT:
        case CKR_KEY_SIZE_RANGE:
        case CKR_MECHANISM_INVALID:
        case CKR_MECHANISM_PARAM_INVALID:
            return true;
        default:
            return false;
    }
}

SignError to_sign_error(const Failure& failure) {
    const auto kind = is_refusal(failure) ? SignError::Kind::refused : SignError::Kind::unavailable;
    return {kind, "the HSM did not sign: " + failure.to_string()};
}

}  // namespace

/// The sessions and the threads that use them.
class Pkcs11Signer::Sessions {
public:
    explicit Sessions(Pkcs11Options options)
        : options_(std::move(options)),
          module_(Module::load(options_.module_path)),
          threads_(options_.sessions) {
        FP_ASSERT(options_.sessions > 0);
        while (free_.size() < options_.sessions)
            free_.push_back(open_first());
        for (const auto& [address, key] : free_.front()->keys())
            addresses_.insert(address);
        if (addresses_.empty()) throw StartupError(no_such_key());
    }
    ~Sessions() { threads_.join(); }
    Sessions(const Sessions&) = delete;
    Sessions& operator=(const Sessions&) = delete;

    [[nodiscard]] const std::set<Address>& addresses() const { return addresses_; }

    /// Runs on one of our threads and resumes on the caller's executor. A cancelled task waits for it all the same.
    [[nodiscard]] Task<RawResult> sign(Address address, codec::Digest digest) {
        auto initiate = [this](auto handler, Address from, codec::Digest what) {
            // Keeps the caller's executor running until the answer comes.
            auto guard = asio::make_work_guard(asio::get_associated_executor(handler));
            auto work = [this, from, what, handler = std::move(handler), guard = std::move(guard)]() mutable {
                auto result = sign_here(from, what);
                asio::post(guard.get_executor(), [handler = std::move(handler), result = std::move(result)]() mutable {
                    std::move(handler)(std::move(result));
                });
            };
            asio::post(threads_, std::move(work));
        };
        co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(RawResult)>(
            std::move(initiate), asio::use_awaitable, address, digest);
    }

private:
    using SessionPtr = std::unique_ptr<Session>;

    [[nodiscard]] Result<SessionPtr, pkcs11::OpenError> open() {
        return Session::open(module(), options_.token_label, options_.pin, options_.key_labels);
    }
    [[nodiscard]] SessionPtr open_first() {
        auto session = open();
        if (!session) throw StartupError(session.error().what);
        return *std::move(session);
    }
    [[nodiscard]] std::string no_such_key() const {
        const auto labelled = options_.key_labels.empty()
                                  ? std::string()
                                  : fmt::format(" labelled {}", fmt::join(options_.key_labels, " or "));
        return fmt::format("the token \"{}\" has no key pair of secp256k1{}", options_.token_label, labelled);
    }

    [[nodiscard]] std::shared_ptr<Module> module() {
        const std::scoped_lock lock(mutex_);
        if (module_ == nullptr) module_ = Module::load(options_.module_path);
        return module_;
    }
    /// Many modules look for tokens only during initialisation, so a lost token is found only by reinitialising. A
    /// session in use by another thread keeps the module loaded until it fails as well.
    void release_module() {
        const std::scoped_lock lock(mutex_);
        for (auto& session : free_)
            session.reset();
        module_.reset();
    }

    /// There are as many sessions as threads, so one is always free; it is null when the token went away.
    [[nodiscard]] SessionPtr take() {
        const std::scoped_lock lock(mutex_);
        auto session = std::move(free_.back());
        free_.pop_back();
        return session;
    }
    void give_back(SessionPtr session) {
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(session));
    }

    [[nodiscard]] RawResult sign_here(const Address& address, const codec::Digest& digest) {
        auto session = take();
        auto result = sign_with(session, address, digest);
        give_back(std::move(session));
        return result;
    }
    /// A session that died (HSM restarted, token reinserted) is replaced once.
    [[nodiscard]] RawResult sign_with(SessionPtr& session, const Address& address, const codec::Digest& digest) {
        if (session != nullptr && session->keys().contains(address)) {
            const auto signature = session->sign(address, digest);
            if (signature) return *signature;
            if (is_refusal(signature.error())) return err(to_sign_error(signature.error()));
        }
        session.reset();
        if (auto reopened = reopen(session); !reopened) return err(std::move(reopened).error());
        if (!session->keys().contains(address)) return err(unavailable("the HSM no longer has this key"));
        const auto signature = session->sign(address, digest);
        if (!signature) return err(to_sign_error(signature.error()));
        return *signature;
    }
    [[nodiscard]] Status<SignError> reopen(SessionPtr& session) {
        if (pin_refused_) return err(unavailable("the HSM refused the PIN; it is not retried before a restart"));
        auto opened = open_again();
        if (opened) {
            session = *std::move(opened);
            return {};
        }
        if (opened.error().pin_refused) pin_refused_ = true;
        release_module();
        return err(unavailable(std::move(opened).error().what));
    }
    [[nodiscard]] Result<SessionPtr, pkcs11::OpenError> open_again() {
        try {
            return open();
        } catch (const StartupError& error) {  // the module was there at start-up
            return err(pkcs11::OpenError{.what = error.what()});
        }
    }

    Pkcs11Options options_;
    std::shared_ptr<Module> module_;
    std::set<Address> addresses_;
    std::atomic<bool> pin_refused_ = false;
    std::mutex mutex_;
    std::vector<SessionPtr> free_;
    asio::thread_pool threads_;  // last: its work uses the other members
};

Pkcs11Signer::Pkcs11Signer(Pkcs11Options options) : sessions_(std::make_unique<Sessions>(std::move(options))) {}

Pkcs11Signer::~Pkcs11Signer() = default;

const std::set<Address>& Pkcs11Signer::addresses() const { return sessions_->addresses(); }

bool Pkcs11Signer::can_sign_for(const SubmitterId& submitter) const {
    const auto address = submitter.evm_address();
    return address && addresses().contains(*address);
}

Task<Result<SignedTransaction, SignError>> Pkcs11Signer::sign(UnsignedTransaction transaction) {
    if (!can_sign_for(transaction.from)) co_return err(no_key(transaction.from));
    if (const auto evm = codec::is_evm_transaction(transaction); !evm) co_return err(not_signable(evm.error()));
    const auto unsigned_form = codec::to_transaction(transaction);
    const auto digest = codec::signing_digest(unsigned_form);
    const auto address = *transaction.from.evm_address();
    const auto answer = co_await sessions_->sign(address, digest);
    if (!answer) co_return err(answer.error());
    const auto signature = codec::complete(digest, answer->r, answer->s, address);
    if (!signature) {
        co_return err(
            SignError{SignError::Kind::mismatch,
                      fmt::format("the HSM's signature is not by {}: its public and private key do not belong "
                                  "together",
                                  address.to_checksum())});
    }
    auto raw = codec::encode(unsigned_form, *signature);
    const auto hash = codec::hash_of(raw);
    co_return SignedTransaction{.hash = hash, .raw = std::move(raw)};
}

}  // namespace fencepost::signers
