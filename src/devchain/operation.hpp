// Every change of a development chain, as a value and as a line of text. The chain is a function of these changes: a
// file of them is all that must be stored, and replaying them produces the same blocks with the same hashes.
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

/// The start of the chain.
struct Genesis {
    std::uint64_t chain_id = 31'337;
    UnixTime at;

    friend bool operator==(const Genesis&, const Genesis&) = default;
};

/// An account was funded with newly created wei.
struct Funded {
    Address account;
    Uint256 amount;
    friend bool operator==(const Funded&, const Funded&) = default;
};
/// A transaction was accepted into the mempool.
struct Received {
    Bytes raw;
    friend bool operator==(const Received&, const Received&) = default;
};
/// A transaction was evicted from the mempool.
struct Evicted {
    TxHash hash;
    friend bool operator==(const Evicted&, const Evicted&) = default;
};
/// A block was mined. Its hash is stored so that a deviating replay is detected.
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

/// One line each, without the line end.
[[nodiscard]] std::string to_line(const Genesis& genesis);
[[nodiscard]] std::string to_line(const Operation& operation);
[[nodiscard]] Result<Genesis, ParseError> parse_genesis(std::string_view line);
[[nodiscard]] Result<Operation, ParseError> parse_operation(std::string_view line);

}  // namespace fencepost::devchain
