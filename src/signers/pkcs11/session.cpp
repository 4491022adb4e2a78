// Opens a session, logs in and signs.
#include "signers/pkcs11/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "signers/pkcs11/find_keys.hpp"

namespace fencepost::signers::pkcs11 {
namespace {

/// PKCS#11 takes non-const pointers to data that it only reads.
CK_UTF8CHAR* unconst(std::string_view text) {
    return reinterpret_cast<CK_UTF8CHAR*>(const_cast<char*>(text.data()));  // NOLINT
}

bool is_pin_error(CK_RV code) {
    switch (code) {
        case CKR_PIN_INCORRECT:
        case CKR_PIN_INVALID:
        case CKR_PIN_LEN_RANGE:
        case CKR_PIN_EXPIRED:
        case CKR_PIN_LOCKED:
            return true;
        default:
            return false;
    }
}

OpenError error(const Failure& failure, std::string_view token_label) {
    return {.what = fmt::format("the token \"{}\" cannot be used: {}", token_label, failure.to_string())};
}

}  // namespace

Session::Session(std::shared_ptr<Module> module, CK_SESSION_HANDLE handle)
    : module_(std::move(module)),
      handle_(handle) {}

Session::~Session() { module_->functions().C_CloseSession(handle_); }

Result<std::unique_ptr<Session>, OpenError> Session::open(std::shared_ptr<Module> module,
                                                          const std::string& token_label, const Secret& pin,
                                                          const std::vector<std::string>& key_labels) {
    const auto slot = module->slot_of(token_label);
    if (!slot) return err(OpenError{.what = slot.error()});
    CK_SESSION_HANDLE handle = CK_INVALID_HANDLE;
    const auto opened =
        check(module->functions().C_OpenSession(*slot, CKF_SERIAL_SESSION, nullptr, nullptr, &handle), "C_OpenSession");
    if (!opened) return err(error(opened.error(), token_label));
    std::unique_ptr<Session> session(new Session(std::move(module), handle));
    if (auto logged_in = session->log_in(token_label, pin); !logged_in) return err(std::move(logged_in).error());
    auto keys = find_keys(session->module_->functions(), handle, key_labels);
    if (!keys) return err(error(keys.error(), token_label));
    session->keys_ = *std::move(keys);
    return session;
}

Status<OpenError> Session::log_in(const std::string& token_label, const Secret& pin) {
    const auto text = pin.expose();
    const CK_RV code = module_->functions().C_Login(handle_, CKU_USER, unconst(text), text.size());
    // Login applies to the whole process: later sessions are already logged in.
    if (code == CKR_OK || code == CKR_USER_ALREADY_LOGGED_IN) return {};
    if (!is_pin_error(code)) return err(error(Failure{code, "C_Login"}, token_label));
    return err(OpenError{.pin_refused = true,
                         .what = fmt::format("the token \"{}\" refuses the PIN: {}", token_label,
                                             Failure{code, "C_Login"}.to_string())});
}

Result<RawSignature, Failure> Session::sign(const Address& address, const codec::Digest& digest) {
    CK_MECHANISM mechanism{.mechanism = CKM_ECDSA, .pParameter = nullptr, .ulParameterLen = 0};
    const auto begun = check(module_->functions().C_SignInit(handle_, &mechanism, keys_.at(address)), "C_SignInit");
    if (!begun) return err(begun.error());
    auto input = digest.data;
    std::array<CK_BYTE, 64> output{};
    CK_ULONG length = output.size();
    const auto done =
        check(module_->functions().C_Sign(handle_, input.data(), input.size(), output.data(), &length), "C_Sign");
    if (!done) return err(done.error());
    if (length != output.size()) return err(Failure{CKR_FUNCTION_FAILED, "C_Sign"});
    RawSignature signature;
    std::copy_n(output.begin(), signature.r.size(), signature.r.begin());
    std::copy_n(output.begin() + signature.r.size(), signature.s.size(), signature.s.begin());
    return signature;
}

}  // namespace fencepost::signers::pkcs11
