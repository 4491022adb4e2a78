// Private to src/devchain: what a JSON-RPC method gets and gives, and how its parameters are read. The errors are
// geth's, by code and by words, because that is what clients look for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.hpp"
#include "devchain/dev_ledger.hpp"
#include "evm/json_values.hpp"
#include "ports/clock.hpp"

namespace fencepost::devchain {

using Json = boost::json::value;

enum class RpcCode : std::int16_t {
    execution_reverted = 3,
    server_error = -32000,
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
};

struct RpcFailure {
    RpcCode code = RpcCode::server_error;
    std::string message;
    Json data{};  // null: none
};

template <typename T>
using OrFailure = Result<T, RpcFailure>;
using RpcAnswer = OrFailure<Json>;

/// What methods work on.
struct RpcWorld {
    DevLedger& ledger;
    Clock& clock;
    /// Whether a block is made for each transaction, as soon as it is there.
    bool mines_at_once = false;
};

/// The block that a caller means. "Pending" is no block yet: what it stands on is the head.
struct ChosenBlock {
    const sim::SimBlock* block = nullptr;  // none when it is not there
    bool pending = false;

    /// The state in it. There must be a block.
    [[nodiscard]] const sim::SimState& state(const DevLedger& ledger) const {
        return pending ? ledger.pending().state() : *block->state;
    }
    /// What a call in it is run on. There must be a block.
    [[nodiscard]] sim::BlockBuilder builder(const DevLedger& ledger) const {
        return pending ? ledger.pending() : ledger.ledger().build_on(*block);
    }
};

class Params {
public:
    explicit Params(const boost::json::array& values) : values_(values) {}

    /// null where there is none.
    [[nodiscard]] const Json& at(std::size_t index) const;
    [[nodiscard]] bool flag(std::size_t index) const;
    [[nodiscard]] OrFailure<Uint256> quantity(std::size_t index) const;
    [[nodiscard]] OrFailure<Bytes> data(std::size_t index) const;
    [[nodiscard]] OrFailure<Address> address(std::size_t index) const;
    [[nodiscard]] OrFailure<TxHash> tx_hash(std::size_t index) const;
    [[nodiscard]] OrFailure<BlockHash> block_hash(std::size_t index) const;
    /// A tag, a number, or an object with one of both (EIP-1898). None is the latest.
    [[nodiscard]] OrFailure<ChosenBlock> block(std::size_t index, const DevLedger& ledger) const;
    /// As block(), for questions about its state: a block that is not there is an error.
    [[nodiscard]] OrFailure<ChosenBlock> block_with_state(std::size_t index, const DevLedger& ledger) const;

private:
    template <typename T>
    [[nodiscard]] OrFailure<T> read(std::size_t index, evm::Parsed<T> (*reader)(const Json&, std::string_view)) const;

    const boost::json::array& values_;
};

[[nodiscard]] inline auto invalid_params(std::string message) {
    return err(RpcFailure{RpcCode::invalid_params, std::move(message)});
}

}  // namespace fencepost::devchain
