// JSON encoding of stored values, the same for both stores: readable in psql and decoded exactly. Amounts are decimal
// strings and bytes are "0x…", because many readers treat JSON numbers as doubles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/chain/block.hpp"
#include "domain/intent.hpp"
#include "domain/tx/attempt.hpp"
#include "domain/tx/claimed_send.hpp"
#include "domain/tx/receipt.hpp"
#include "domain/tx/tx_event.hpp"

namespace fencepost::store {

[[nodiscard]] std::string encode(const Intent& intent);
[[nodiscard]] std::string encode(const Receipt& receipt);
[[nodiscard]] std::string encode(const std::vector<BlockRef>& blocks);
[[nodiscard]] std::string encode(const TxEventBody& event);

/// Price and gas limit of an attempt (gas_params in the requirements).
struct GasParams {
    Fees fees;
    Gas gas_limit;
    friend bool operator==(const GasParams&, const GasParams&) = default;
};
[[nodiscard]] std::string encode(const GasParams& params);
/// Everything except kind and nonce, which have their own columns.
[[nodiscard]] std::string encode(const ClaimedSend& claim);

/// These decode what encode() wrote. Anything else is a corrupted row, and aborts.
[[nodiscard]] Intent decode_intent(std::string_view json);
[[nodiscard]] Receipt decode_receipt(std::string_view json);
[[nodiscard]] std::vector<BlockRef> decode_blocks(std::string_view json);
[[nodiscard]] TxEventBody decode_event(std::string_view kind, std::string_view json);
[[nodiscard]] GasParams decode_gas_params(std::string_view json);
[[nodiscard]] ClaimedSend decode_claimed_send(AttemptKind kind, Nonce nonce, std::string_view json);

/// The detail of a history step uses the same column as an event's body.
[[nodiscard]] std::string encode_detail(std::string_view detail);
[[nodiscard]] std::string decode_detail(std::string_view json);

}  // namespace fencepost::store
