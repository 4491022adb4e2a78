// Configurations come from people, templates and scripts. No text may crash or stall the loader, and every accepted
// configuration can be printed.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.hpp"
#include "config/print.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fencepost::config;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto loaded = load({.file = ConfigFile{.name = "fuzz.yaml", .text = text},
                              .environment = {{"NAME", "value"}},
                              .arguments = {"--" + text.substr(0, text.find('\n'))}});
    if (loaded) {
        FP_ASSERT(!print(*loaded).empty());
    } else {
        FP_ASSERT(!loaded.error().empty());
    }
    return 0;
}
