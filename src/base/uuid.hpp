// UUIDs, and version 7 of them (RFC 9562): ids that sort by the time they were made, so that they fill a database index
// from one end. They are names, not an order of acceptance: that is the store's sequence.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace fencepost {

struct UuidTag;
using UuidBytes = FixedBytes<16, UuidTag>;

struct Uuid : UuidBytes {
    /// The canonical text of 36 characters, in either case.
    [[nodiscard]] static Result<Uuid, ParseError> parse(std::string_view text);
    /// Lower case, with dashes.
    [[nodiscard]] std::string to_string() const;

    [[nodiscard]] int version() const { return data[6] >> 4U; }
    /// Of version 7: by the clock of its maker, to the millisecond.
    [[nodiscard]] std::optional<UnixTime> made_at() const;

    friend bool operator==(const Uuid&, const Uuid&) = default;
    friend auto operator<=>(const Uuid&, const Uuid&) = default;
};

/// Makes ids that strictly increase within one generator, also when the clock stands still or steps back (RFC 9562,
/// section 6.2, method 1: the 12 bits after the time stamp count).
class UuidV7Generator {
public:
    /// `random` must be 64 fresh random bits for every call.
    [[nodiscard]] Uuid next(UnixTime now, std::uint64_t random);

private:
    std::uint64_t last_ms_ = 0;
    std::uint16_t counter_ = 0;
};

}  // namespace fencepost

template <>
struct std::hash<fencepost::Uuid> : std::hash<fencepost::UuidBytes> {};

template <>
struct fmt::formatter<fencepost::Uuid> : fmt::formatter<std::string> {
    auto format(const fencepost::Uuid& uuid, format_context& ctx) const {
        return fmt::formatter<std::string>::format(uuid.to_string(), ctx);
    }
};
