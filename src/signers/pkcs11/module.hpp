// A PKCS#11 module: the vendor's library, loaded and initialised once per process and shared, because the standard
// allows only one initialisation.
#pragma once

#include <memory>
#include <p11-kit/pkcs11.h>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace fencepost::signers::pkcs11 {

/// Any result of a call other than CKR_OK.
struct Failure {
    CK_RV code = CKR_GENERAL_ERROR;
    std::string_view function;

    /// "C_Login answered CKR_PIN_INCORRECT"
    [[nodiscard]] std::string to_string() const;
};

/// Success for CKR_OK.
[[nodiscard]] inline Status<Failure> check(CK_RV code, std::string_view function) {
    if (code != CKR_OK) return std::unexpected(Failure{code, function});
    return {};
}

class Module {
public:
    /// Throws StartupError.
    [[nodiscard]] static std::shared_ptr<Module> load(const std::string& path);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    [[nodiscard]] CK_FUNCTION_LIST& functions() const { return *functions_; }
    /// The slot with the token of this label; otherwise a sentence that says that none or several have it.
    [[nodiscard]] Result<CK_SLOT_ID, std::string> slot_of(std::string_view token_label) const;

private:
    explicit Module(const std::string& path);
    void initialise(const std::string& path);

    void* library_ = nullptr;
    CK_FUNCTION_LIST* functions_ = nullptr;
    bool initialised_ = false;
};

}  // namespace fencepost::signers::pkcs11
