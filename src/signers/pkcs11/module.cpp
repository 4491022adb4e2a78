// Loads a PKCS#11 module once and finds its tokens.
#include "signers/pkcs11/module.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::signers::pkcs11 {
namespace {

// Codes that operators may meet; the rest are shown as numbers.
constexpr std::array<std::pair<CK_RV, std::string_view>, 19> names{{
    {CKR_HOST_MEMORY, "CKR_HOST_MEMORY"},
    {CKR_GENERAL_ERROR, "CKR_GENERAL_ERROR"},
    {CKR_FUNCTION_FAILED, "CKR_FUNCTION_FAILED"},
    {CKR_DEVICE_ERROR, "CKR_DEVICE_ERROR"},
    {CKR_DEVICE_MEMORY, "CKR_DEVICE_MEMORY"},
    {CKR_DEVICE_REMOVED, "CKR_DEVICE_REMOVED"},
    {CKR_KEY_HANDLE_INVALID, "CKR_KEY_HANDLE_INVALID"},
    {CKR_KEY_TYPE_INCONSISTENT, "CKR_KEY_TYPE_INCONSISTENT"},
    {CKR_KEY_FUNCTION_NOT_PERMITTED, "CKR_KEY_FUNCTION_NOT_PERMITTED"},
    {CKR_MECHANISM_INVALID, "CKR_MECHANISM_INVALID"},
    {CKR_OBJECT_HANDLE_INVALID, "CKR_OBJECT_HANDLE_INVALID"},
    {CKR_PIN_INCORRECT, "CKR_PIN_INCORRECT"},
    {CKR_PIN_LOCKED, "CKR_PIN_LOCKED"},
    {CKR_SESSION_HANDLE_INVALID, "CKR_SESSION_HANDLE_INVALID"},
    {CKR_SESSION_CLOSED, "CKR_SESSION_CLOSED"},
    {CKR_TOKEN_NOT_PRESENT, "CKR_TOKEN_NOT_PRESENT"},
    {CKR_TOKEN_NOT_RECOGNIZED, "CKR_TOKEN_NOT_RECOGNIZED"},
    {CKR_USER_NOT_LOGGED_IN, "CKR_USER_NOT_LOGGED_IN"},
    {CKR_CRYPTOKI_NOT_INITIALIZED, "CKR_CRYPTOKI_NOT_INITIALIZED"},
}};

/// The standard pads labels with blanks.
std::string_view label_of(const CK_TOKEN_INFO& token) {
    const std::string_view padded(reinterpret_cast<const char*>(token.label), sizeof(token.label));
    return padded.substr(0, padded.find_last_not_of(' ') + 1);
}

}  // namespace

std::string Failure::to_string() const {
    const auto* name = std::ranges::find(names, code, &std::pair<CK_RV, std::string_view>::first);
    if (name != names.end()) return fmt::format("{} answered {}", function, name->second);
    return fmt::format("{} answered 0x{:x}", function, code);
}

std::shared_ptr<Module> Module::load(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Module>> loaded;
    const std::scoped_lock lock(mutex);
    if (auto module = loaded[path].lock()) return module;
    std::shared_ptr<Module> module(new Module(path));
    loaded[path] = module;
    return module;
}

Module::Module(const std::string& path) : library_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
        const char* why = ::dlerror();
        throw StartupError(fmt::format("the PKCS#11 module {} cannot be loaded: {}", path, why != nullptr ? why : "?"));
    }
    try {
        initialise(path);
    } catch (...) {
        ::dlclose(library_);
        throw;
    }
}

void Module::initialise(const std::string& path) {
    const auto get = reinterpret_cast<CK_C_GetFunctionList>(::dlsym(library_, "C_GetFunctionList"));
    if (get == nullptr || get(&functions_) != CKR_OK || functions_ == nullptr) {
        throw StartupError(fmt::format("{} is not a PKCS#11 module: it has no working C_GetFunctionList", path));
    }
    CK_C_INITIALIZE_ARGS arguments{};
    arguments.flags = CKF_OS_LOCKING_OK;  // several of our threads call it
    const CK_RV code = functions_->C_Initialize(&arguments);
    initialised_ = code == CKR_OK;
    if (!initialised_ && code != CKR_CRYPTOKI_ALREADY_INITIALIZED) {
        throw StartupError(fmt::format("the PKCS#11 module {} cannot be initialised: {}", path,
                                       Failure{code, "C_Initialize"}.to_string()));
    }
}

Module::~Module() {
    if (initialised_) functions_->C_Finalize(nullptr);
    ::dlclose(library_);
}

Result<CK_SLOT_ID, std::string> Module::slot_of(std::string_view token_label) const {
    CK_ULONG count = 0;
    std::vector<CK_SLOT_ID> slots;
    auto listed = check(functions_->C_GetSlotList(CK_TRUE, nullptr, &count), "C_GetSlotList");
    if (listed) {
        slots.resize(count);
        listed = check(functions_->C_GetSlotList(CK_TRUE, slots.data(), &count), "C_GetSlotList");
    }
    if (!listed) return err(fmt::format("the HSM does not list its tokens: {}", listed.error().to_string()));
    slots.resize(std::min<std::size_t>(slots.size(), count));
    std::erase_if(slots, [this, token_label](CK_SLOT_ID slot) {
        CK_TOKEN_INFO token{};
        return functions_->C_GetTokenInfo(slot, &token) != CKR_OK || label_of(token) != token_label;
    });
    if (slots.size() == 1) return slots.front();
    return err(
        fmt::format("the HSM has {} token labelled \"{}\"", slots.empty() ? "no" : "more than one", token_label));
}

}  // namespace fencepost::signers::pkcs11
