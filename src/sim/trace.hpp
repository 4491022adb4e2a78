// The fingerprint of a run. Two runs of one seed that differ anywhere have different fingerprints, which proves that a
// failing seed can be replayed.
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost::sim {

class Trace {
public:
    void add(std::uint64_t value) {
        for (int i = 0; i < 8; ++i)
            mix(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void add(std::string_view text) {
        add(text.size());
        for (const char c : text)
            mix(static_cast<std::uint8_t>(c));
    }
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

private:
    // FNV-1a: simple, order-sensitive, and the same on every machine.
    void mix(std::uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }

    std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace fencepost::sim
