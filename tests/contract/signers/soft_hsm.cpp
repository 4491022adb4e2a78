// Creates a SoftHSM token and keys on it.
#include "soft_hsm.hpp"

#include <array>
#include <p11-kit/pkcs11.h>
#include <stdexcept>
#include <stdlib.h>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "signers/pkcs11/module.hpp"
#include "support/child_process.hpp"

namespace fencepost::test {
namespace {

constexpr const char* token_label = "fencepost test";
constexpr std::array<std::uint8_t, 7> secp256k1{0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a};
constexpr std::array<std::uint8_t, 10> p256{0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

void must(CK_RV code, const char* what) {
    if (code != CKR_OK) throw std::runtime_error(fmt::format("{} answered 0x{:x}", what, code));
}

CK_UTF8CHAR* as_text(std::string& text) { return reinterpret_cast<CK_UTF8CHAR*>(text.data()); }

struct Pair {
    CK_OBJECT_HANDLE public_half = 0;
    CK_OBJECT_HANDLE private_half = 0;
};

}  // namespace

/// Logged in, for reading and writing.
class SoftHsm::Session {
public:
    explicit Session(std::string with_pin = pin)
        : module_(signers::pkcs11::Module::load(module_path)),
          f_(module_->functions()) {
        const auto slot = module_->slot_of(token_label);
        if (!slot) throw std::runtime_error(slot.error());
        must(f_.C_OpenSession(*slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, nullptr, nullptr, &handle_), "C_OpenSession");
        const auto code = f_.C_Login(handle_, CKU_USER, as_text(with_pin), with_pin.size());
        if (code != CKR_USER_ALREADY_LOGGED_IN) must(code, "C_Login");
    }
    ~Session() { f_.C_CloseSession(handle_); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Pair generate(std::uint8_t id, std::string label, ByteView curve) const {
        CK_BBOOL yes = CK_TRUE;
        Bytes oid = to_bytes(curve);
        std::vector<CK_ATTRIBUTE> public_part{{CKA_EC_PARAMS, oid.data(), oid.size()},
                                              {CKA_TOKEN, &yes, sizeof(yes)},
                                              {CKA_VERIFY, &yes, sizeof(yes)},
                                              {CKA_ID, &id, 1},
                                              {CKA_LABEL, label.data(), label.size()}};
        std::vector<CK_ATTRIBUTE> private_part{{CKA_TOKEN, &yes, sizeof(yes)},
                                               {CKA_PRIVATE, &yes, sizeof(yes)},
                                               {CKA_SENSITIVE, &yes, sizeof(yes)},
                                               {CKA_SIGN, &yes, sizeof(yes)},
                                               {CKA_ID, &id, 1},
                                               {CKA_LABEL, label.data(), label.size()}};
        CK_MECHANISM mechanism{CKM_EC_KEY_PAIR_GEN, nullptr, 0};
        Pair pair;
        must(f_.C_GenerateKeyPair(handle_, &mechanism, public_part.data(), public_part.size(), private_part.data(),
                                  private_part.size(), &pair.public_half, &pair.private_half),
             "C_GenerateKeyPair");
        return pair;
    }
    void set_id(CK_OBJECT_HANDLE object, std::uint8_t id) const {
        CK_ATTRIBUTE attribute{CKA_ID, &id, 1};
        must(f_.C_SetAttributeValue(handle_, object, &attribute, 1), "C_SetAttributeValue");
    }
    void set_pin(std::string from, std::string to) const {
        must(f_.C_SetPIN(handle_, as_text(from), from.size(), as_text(to), to.size()), "C_SetPIN");
    }
    void destroy(CK_OBJECT_HANDLE object) const { must(f_.C_DestroyObject(handle_, object), "C_DestroyObject"); }

private:
    std::shared_ptr<signers::pkcs11::Module> module_;
    CK_FUNCTION_LIST& f_;
    CK_SESSION_HANDLE handle_ = 0;
};

SoftHsm::SoftHsm() {
    std::filesystem::create_directory(folder_.path() / "tokens");
    const auto config = folder_.write(
        "softhsm2.conf", fmt::format("directories.tokendir = {}\nobjectstore.backend = file\nlog.level = ERROR\n",
                                     (folder_.path() / "tokens").string()));
    ::setenv("SOFTHSM2_CONF", config.c_str(), 1);
    const ChildOptions quietly{.log = (folder_.path() / "log").string()};
    ChildProcess init({"/usr/bin/softhsm2-util", "--init-token", "--free", "--label", token_label, "--so-pin",
                       "00000000", "--pin", pin},
                      quietly);
    if (init.wait() != 0) throw std::runtime_error("softhsm2-util: " + text_of(quietly.log) + "; run script/bootstrap");
}

SoftHsm::~SoftHsm() { ::unsetenv("SOFTHSM2_CONF"); }

void SoftHsm::generate_key(std::uint8_t id, const std::string& label) const {
    (void)Session().generate(id, label, secp256k1);
}

void SoftHsm::generate_foreign_key(std::uint8_t id, const std::string& label) const {
    (void)Session().generate(id, label, p256);
}

void SoftHsm::generate_mismatched_key(std::uint8_t id, const std::string& label) const {
    const Session session;
    const auto kept = session.generate(id, label, secp256k1);
    const auto robbed = session.generate(static_cast<std::uint8_t>(id + 1), label, secp256k1);
    session.destroy(kept.public_half);
    session.destroy(robbed.private_half);
    session.set_id(robbed.public_half, id);
}

void SoftHsm::change_pin(const std::string& from, const std::string& to) const { Session(from).set_pin(from, to); }

void SoftHsm::take_out() const { std::filesystem::rename(folder_.path() / "tokens", folder_.path() / "drawer"); }
void SoftHsm::put_back() const { std::filesystem::rename(folder_.path() / "drawer", folder_.path() / "tokens"); }

signers::Pkcs11Options SoftHsm::options(const std::string& with_pin) const {
    return {.module_path = module_path, .token_label = token_label, .pin = Secret(with_pin)};
}

}  // namespace fencepost::test
