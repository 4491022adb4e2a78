// Byte containers: owned, viewed, and of a fixed size with a tag (a Hash is not an Address although both are bytes).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fencepost {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

[[nodiscard]] inline Bytes to_bytes(ByteView view) { return {view.begin(), view.end()}; }
[[nodiscard]] inline ByteView as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// N bytes with the meaning given by Tag. Zero-initialised; ordered lexicographically.
template <std::size_t N, typename Tag>
struct FixedBytes {
    static constexpr std::size_t length = N;

    std::array<std::uint8_t, N> data{};

    /// None unless the view has exactly N bytes.
    [[nodiscard]] static std::optional<FixedBytes> from(ByteView view) {
        if (view.size() != N) return std::nullopt;
        FixedBytes result;
        std::memcpy(result.data.data(), view.data(), N);
        return result;
    }

    [[nodiscard]] ByteView view() const { return data; }
    [[nodiscard]] bool is_zero() const { return *this == FixedBytes{}; }

    friend constexpr bool operator==(const FixedBytes&, const FixedBytes&) = default;
    friend constexpr auto operator<=>(const FixedBytes&, const FixedBytes&) = default;
};

}  // namespace fencepost

template <std::size_t N, typename Tag>
struct std::hash<fencepost::FixedBytes<N, Tag>> {
    std::size_t operator()(const fencepost::FixedBytes<N, Tag>& bytes) const {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data.data()), N});
    }
};
