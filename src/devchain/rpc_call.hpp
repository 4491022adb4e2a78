// Private to src/devchain: the types of JSON-RPC methods, and how their parameters are read. Errors use geth's codes
// and messages, because clients depend on them.
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
using MethodResult = Result<T, RpcFailure>;
using RpcAnswer = MethodResult<Json>;

/// The state that methods work on.
struct RpcWorld {
    DevLedger& ledger;
    Clock& clock;
    /// Whether each transaction is mined at once.
    bool automine = false;
};

/// The block a caller selects. "Pending" is not a block yet: its parent is the head.
struct ChosenBlock {
    const sim::SimBlock* block = nullptr;  // null when there is no such block
    bool pending = false;

    /// The selected state. The block must exist.
    [[nodiscard]] const sim::SimState& state(const DevLedger& ledger) const {
        return pending ? ledger.pending().state() : *block->state;
    }
    /// The builder for a call on the selected state. The block must exist.
    [[nodiscard]] sim::BlockBuilder builder(const DevLedger& ledger) const {
        return pending ? ledger.pending() : ledger.ledger().build_on(*block);
    }
};

class Params {
public:
    explicit Params(const boost::json::array& values) : values_(values) {}

    /// JSON null when there is none.
    [[nodiscard]] const Json& at(std::size_t index) const;
    [[nodiscard]] bool flag(std::size_t index) const;
    [[nodiscard]] MethodResult<Uint256> quantity(std::size_t index) const;
    [[nodiscard]] MethodResult<Bytes> data(std::size_t index) const;
    [[nodiscard]] MethodResult<Address> address(std::size_t index) const;
    [[nodiscard]] MethodResult<TxHash> tx_hash(std::size_t index) const;
    [[nodiscard]] MethodResult<BlockHash> block_hash(std::size_t index) const;
    /// A tag, a number, or an object with a number or a hash (EIP-1898). Missing: latest.
    [[nodiscard]] MethodResult<ChosenBlock> block(std::size_t index, const DevLedger& ledger) const;
    /// Like block(), for reads of state: a missing block is an error.
    [[nodiscard]] MethodResult<ChosenBlock> block_with_state(std::size_t index, const DevLedger& ledger) const;

private:
    template <typename T>
    [[nodiscard]] MethodResult<T> read(std::size_t index,
                                       evm::Parsed<T> (*reader)(const Json&, std::string_view)) const;

    const boost::json::array& values_;
};

[[nodiscard]] inline auto invalid_params(std::string message) {
    return err(RpcFailure{RpcCode::invalid_params, std::move(message)});
}

}  // namespace fencepost::devchain
