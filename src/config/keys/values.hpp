// Parses and prints durations, amounts, sizes and numbers in the configuration. Printed values can be parsed again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"

namespace fencepost::config {

/// Why a text is not a valid value. A predicate continues the quoted text ("is not a duration: …"); a sentence stands
/// alone.
struct ValueError {
    std::string what;
    bool is_sentence = false;
};

template <typename T>
using Read = Result<T, ValueError>;

/// Accepts true or false only.
[[nodiscard]] Read<bool> read_switch(std::string_view text);
[[nodiscard]] std::string show_switch(bool value);

[[nodiscard]] Read<std::uint64_t> read_count(std::string_view text);

/// A whole number with ms, s, m, h or d.
[[nodiscard]] Read<Duration> read_duration(std::string_view text);
[[nodiscard]] std::string show_duration(Duration value);

/// Decimal digits in wei, or a number, optionally with a fraction, with wei, gwei or ether.
[[nodiscard]] Read<Wei> read_amount(std::string_view text);
[[nodiscard]] std::string show_amount(const Wei& value);

/// Bytes, or a whole number with KiB, MiB or GiB.
[[nodiscard]] Read<std::uint64_t> read_size(std::string_view text);
[[nodiscard]] std::string show_size(std::uint64_t bytes);

/// A decimal number with up to three decimal places, in thousandths.
[[nodiscard]] Read<std::uint64_t> read_permille(std::string_view text);
[[nodiscard]] std::string show_permille(std::uint64_t value);

/// A decimal number above 1, at most 10, with up to six decimal places.
[[nodiscard]] Read<BumpFactor> read_factor(std::string_view text);
[[nodiscard]] std::string show_factor(const BumpFactor& value);

/// The items between commas, trimmed; empty items are dropped.
[[nodiscard]] std::vector<std::string> split_at_commas(std::string_view text);

}  // namespace fencepost::config
