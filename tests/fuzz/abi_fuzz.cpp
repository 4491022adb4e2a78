// API callers provide signatures and arguments. No text may crash the parser or make it write more than a transaction
// holds, and an accepted signature must mean the same in its canonical form.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "codec/abi/abi_call.hpp"
#include "codec/abi/abi_signature.hpp"

namespace fencepost::codec {
namespace {

constexpr std::size_t max_error_length = 1'000;

void check_signature(std::string_view text) {
    const auto function = parse_abi_signature(text);
    if (!function) {
        FP_ASSERT(!function.error().what.empty() && function.error().what.size() < max_error_length);
        return;
    }
    // Shorthands make the canonical form longer: "uint" is "uint256".
    if (canonical(*function).size() > max_abi_signature) return;
    const auto again = parse_abi_signature(canonical(*function));
    FP_ASSERT(again.has_value() && canonical(*again) == canonical(*function));
    FP_ASSERT(selector_of(*again) == selector_of(*function));
}

void check_call(std::string_view signature, std::string_view arguments) {
    const auto call = encode_call(signature, arguments);
    if (call) {
        FP_ASSERT(call->size() % 32 == sizeof(AbiSelector) && call->size() <= max_abi_call);
        return;
    }
    FP_ASSERT(!call.error().what.empty() && call.error().what.size() < max_error_length);
    FP_ASSERT(call.error().pointer.empty() || call.error().pointer.starts_with('/'));
}

}  // namespace
}  // namespace fencepost::codec

// The first line is the signature, the rest the arguments.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto line = text.substr(0, text.find('\n'));
    fencepost::codec::check_signature(line);
    fencepost::codec::check_call(line, text.substr(line.size()));
    return 0;
}
