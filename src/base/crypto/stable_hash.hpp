// A number for a piece of text that is the same in every process, version and machine: for spreading things over
// workers and nodes that must agree without asking each other. (std::hash promises that for one run of one program.)
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost {

/// The first 8 bytes of Keccak-256, big-endian.
[[nodiscard]] std::uint64_t stable_hash(std::string_view text);

/// One number of two, each bit of it depending on every bit of both (MurmurHash3's finalizer).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a ^ b;
    z = (z ^ (z >> 33U)) * 0xff51afd7ed558ccd;
    z = (z ^ (z >> 33U)) * 0xc4ceb9fe1a85ec53;
    return z ^ (z >> 33U);
}

}  // namespace fencepost
