// Everything that ever changed a development chain, as values and as lines of text. The chain is a function of these,
// so a file of them is all that has to be kept: replayed, they give the same blocks with the same hashes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/address.hpp"
#include "domain/ids.hpp"

namespace fencepost::devchain {

/// What the chain begins with.
struct Genesis {
    std::uint64_t chain_id = 31'337;
    UnixTime at;

    friend bool operator==(const Genesis&, const Genesis&) = default;
};

/// Wei from nowhere.
struct Funded {
    Address account;
    Uint256 amount;
    friend bool operator==(const Funded&, const Funded&) = default;
};
/// A transaction that was taken into the mempool.
struct Received {
    Bytes raw;
    friend bool operator==(const Received&, const Received&) = default;
};
/// A transaction that was thrown out of it again.
struct Evicted {
    TxHash hash;
    friend bool operator==(const Evicted&, const Evicted&) = default;
};
/// A block. Its hash is kept so that a replay that goes another way is noticed.
struct Mined {
    UnixTime at;
    BlockHash hash;
    std::vector<TxHash> transactions;
    friend bool operator==(const Mined&, const Mined&) = default;
};
/// The highest blocks were replaced by empty ones.
struct Reorganised {
    UnixTime at;
    std::uint64_t depth = 0;
    BlockHash head;
    friend bool operator==(const Reorganised&, const Reorganised&) = default;
};

using Operation = std::variant<Funded, Received, Evicted, Mined, Reorganised>;

/// One line each, without its end.
[[nodiscard]] std::string to_line(const Genesis& genesis);
[[nodiscard]] std::string to_line(const Operation& operation);
[[nodiscard]] Result<Genesis, ParseError> parse_genesis(std::string_view line);
[[nodiscard]] Result<Operation, ParseError> parse_operation(std::string_view line);

}  // namespace fencepost::devchain
