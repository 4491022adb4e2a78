#include "devchain/rpc_json.hpp"

#include <variant>

#include "base/text/hex.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;
using evm::write_data;
using evm::write_number;
using evm::write_quantity;

// Fields that clients require and that have no meaning on this chain.
const std::string zero_hash = "0x" + std::string(64, '0');
const std::string zero_address = "0x" + std::string(40, '0');
const std::string empty_bloom = "0x" + std::string(512, '0');
// keccak256 of the RLP encoding of an empty list.
constexpr std::string_view no_uncles = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

Json quantity(const Wei& wei) { return write_quantity(wei.value()); }
Json quantity(Gas gas) { return write_quantity(gas.value()); }
Json scalar(const codec::Scalar& value) { return write_quantity(Uint256::from_big_endian(value).value()); }
Json optional_address(const std::optional<Address>& address) {
    return address ? Json(address->to_lower()) : Json(nullptr);
}

std::uint64_t seconds(UnixTime time) {
    return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count());
}

json::object header_json(const DevLedger& ledger, UnixTime time, const std::optional<Wei>& base_fee, Gas used) {
    json::object block{{"nonce", "0x0000000000000000"},
                       {"mixHash", zero_hash},
                       {"sha3Uncles", no_uncles},
                       {"logsBloom", empty_bloom},
                       {"transactionsRoot", zero_hash},
                       {"stateRoot", zero_hash},
                       {"receiptsRoot", zero_hash},
                       {"miner", zero_address},
                       {"difficulty", "0x0"},
                       {"totalDifficulty", "0x0"},
                       {"extraData", "0x"},
                       {"size", "0x0"},
                       {"gasLimit", quantity(ledger.ledger().options().gas_limit)},
                       {"gasUsed", quantity(used)},
                       {"timestamp", write_quantity(seconds(time))},
                       {"uncles", json::array{}}};
    if (base_fee) block["baseFeePerGas"] = quantity(*base_fee);
    return block;
}

// The signed fees, and the price it paid or would pay at most.
void add_fees(json::object& result, const Fees& fees, const std::optional<sim::Executed>& place) {
    if (std::holds_alternative<DynamicFee>(fees)) {
        result["maxFeePerGas"] = quantity(max_fee(fees));
        result["maxPriorityFeePerGas"] = quantity(max_priority_fee(fees));
    }
    result["gasPrice"] = quantity(place ? place->receipt().effective_gas_price : max_fee(fees));
}

json::array access_list_json(const codec::AccessList& list) {
    json::array result;
    for (const auto& entry : list) {
        json::array keys;
        for (const auto& key : entry.storage_keys)
            keys.push_back(write_data(key.view()));
        result.push_back(json::object{{"address", entry.address.to_lower()}, {"storageKeys", std::move(keys)}});
    }
    return result;
}

// Decodes the raw bytes again for fields that the simulated chain does not keep.
void add_signature(json::object& result, const Bytes& raw) {
    constexpr std::uint64_t eip155_offset = 35;
    constexpr std::uint64_t plain_offset = 27;
    const auto decoded = codec::decode(raw).value();  // decoded successfully when it was accepted
    const std::uint64_t parity = decoded.signature.y_parity ? 1 : 0;
    result["type"] = write_quantity(decoded.transaction.index());
    result["r"] = scalar(decoded.signature.r);
    result["s"] = scalar(decoded.signature.s);
    result["v"] = write_quantity(parity);
    std::visit(
        [&](const auto& transaction) {
            if constexpr (requires { transaction.access_list; }) {
                result["accessList"] = access_list_json(transaction.access_list);
                result["yParity"] = write_quantity(parity);
            } else {
                const auto chain = transaction.chain_id;
                result["v"] = write_quantity(parity + (chain ? *chain * 2 + eip155_offset : plain_offset));
            }
        },
        decoded.transaction);
}

}  // namespace

Json transaction_json(const sim::SimTx& transaction, const std::optional<sim::Executed>& place) {
    json::object result{{"hash", write_data(transaction.hash.view())},
                        {"blockHash", nullptr},
                        {"blockNumber", nullptr},
                        {"transactionIndex", nullptr},
                        {"from", transaction.sender.to_lower()},
                        {"to", optional_address(transaction.to)},
                        {"nonce", write_quantity(transaction.nonce.value())},
                        {"gas", quantity(transaction.gas_limit)},
                        {"value", quantity(transaction.value)},
                        {"input", write_data(transaction.data)}};
    if (place) {
        result["blockHash"] = write_data(place->block->hash().view());
        result["blockNumber"] = write_number(place->block->number());
        result["transactionIndex"] = write_quantity(place->index);
    }
    if (transaction.chain_id) result["chainId"] = write_quantity(*transaction.chain_id);
    add_fees(result, transaction.fees, place);
    add_signature(result, transaction.raw);
    return result;
}

Json block_json(const sim::SimBlock& block, const DevLedger& ledger, bool whole) {
    auto result = header_json(ledger, block.block->time, block.block->base_fee, block.gas_used);
    result["number"] = write_number(block.number());
    result["hash"] = write_data(block.hash().view());
    result["parentHash"] = write_data(block.ref().parent.view());
    json::array transactions;
    for (std::size_t i = 0; i < block.transactions.size(); ++i) {
        const auto& transaction = block.transactions[i];
        transactions.push_back(whole ? transaction_json(*transaction, sim::Executed{transaction, &block, i})
                                     : write_data(transaction->hash.view()));
    }
    result["transactions"] = std::move(transactions);
    return result;
}

Json pending_block_json(const DevLedger& ledger, bool whole) {
    const auto& built = ledger.pending();
    const Wei base_fee(ledger.ledger().base_fee_after(ledger.head()));
    auto result = header_json(ledger, ledger.head().block->time, base_fee, built.gas_used());
    result["number"] = write_number(ledger.head().number().next());
    result["hash"] = nullptr;
    result["nonce"] = nullptr;
    result["parentHash"] = write_data(ledger.head().hash().view());
    json::array transactions;
    for (const auto& transaction : built.transactions())
        transactions.push_back(whole ? transaction_json(*transaction, {}) : write_data(transaction->hash.view()));
    result["transactions"] = std::move(transactions);
    return result;
}

Json receipt_json(const sim::Executed& executed) {
    const auto& receipt = executed.receipt();
    const auto& transaction = *executed.transaction;
    Gas cumulative;
    for (std::size_t i = 0; i <= executed.index; ++i)
        cumulative = cumulative.plus(executed.block->receipts[i].gas_used.value());
    return json::object{{"transactionHash", write_data(receipt.hash.view())},
                        {"transactionIndex", write_quantity(executed.index)},
                        {"blockHash", write_data(receipt.block_hash.view())},
                        {"blockNumber", write_number(receipt.block_number)},
                        {"from", transaction.sender.to_lower()},
                        {"to", optional_address(transaction.to)},
                        {"type", write_quantity(codec::decode(transaction.raw).value().transaction.index())},
                        {"status", receipt.succeeded ? "0x1" : "0x0"},
                        {"gasUsed", quantity(receipt.gas_used)},
                        {"cumulativeGasUsed", quantity(cumulative)},
                        {"effectiveGasPrice", quantity(receipt.effective_gas_price)},
                        {"contractAddress", receipt.contract ? Json(*receipt.contract) : Json(nullptr)},
                        {"logs", json::array{}},
                        {"logsBloom", empty_bloom}};
}

}  // namespace fencepost::devchain
