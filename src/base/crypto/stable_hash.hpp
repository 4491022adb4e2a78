// A hash of text that is the same in every process, version and machine: for distributing work over workers and nodes
// that must agree without communication. (std::hash guarantees that only within one run.)
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost {

/// The first 8 bytes of Keccak-256, big-endian.
[[nodiscard]] std::uint64_t stable_hash(std::string_view text);

/// Combines two numbers; each result bit depends on every bit of both (MurmurHash3's finalizer).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a ^ b;
    z = (z ^ (z >> 33U)) * 0xff51afd7ed558ccd;
    z = (z ^ (z >> 33U)) * 0xc4ceb9fe1a85ec53;
    return z ^ (z >> 33U);
}

}  // namespace fencepost
