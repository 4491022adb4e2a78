#include "devchain/rpc_call.hpp"

#include <fmt/format.h>

namespace fencepost::devchain {
namespace {

RpcFailure invalid(std::size_t index, std::string_view why) {
    return {RpcCode::invalid_params, fmt::format("invalid argument {}: {}", index, why)};
}

ChosenBlock by_number(const Uint256& number, const DevLedger& ledger) {
    const auto small = number.to_uint64();
    return {.block = small ? ledger.view().block(BlockNumber(*small)) : nullptr};
}

ChosenBlock by_tag(At at, const DevLedger& ledger) {
    const auto view = ledger.view();  // blocks belong to the ledger and outlive the view
    return {.block = &view.at(at), .pending = at == At::pending};
}

MethodResult<ChosenBlock> by_object(const Json& json, std::size_t index, const DevLedger& ledger) {
    const auto& hash = evm::field_of(json, "blockHash");
    if (!hash.is_null()) {
        const auto read = evm::read_block_hash(hash, "blockHash");
        if (!read) return err(invalid(index, read.error().what));
        return ChosenBlock{.block = ledger.view().block(*read)};
    }
    const auto number = evm::read_quantity(evm::field_of(json, "blockNumber"), "blockNumber");
    if (!number) return err(invalid(index, number.error().what));
    return by_number(*number, ledger);
}

}  // namespace

const Json& Params::at(std::size_t index) const {
    static const Json none;
    return index < values_.size() ? values_[index] : none;
}

bool Params::flag(std::size_t index) const {
    const auto* flag = at(index).if_bool();
    return flag != nullptr && *flag;
}

template <typename T>
MethodResult<T> Params::read(std::size_t index, evm::Parsed<T> (*reader)(const Json&, std::string_view)) const {
    if (at(index).is_null()) return invalid_params(fmt::format("missing value for required argument {}", index));
    auto value = reader(at(index), "it");
    if (!value) return err(invalid(index, value.error().what));
    return *std::move(value);
}

MethodResult<Uint256> Params::quantity(std::size_t index) const { return read(index, evm::read_quantity); }
MethodResult<Bytes> Params::data(std::size_t index) const { return read(index, evm::read_data); }
MethodResult<Address> Params::address(std::size_t index) const { return read(index, evm::read_address); }
MethodResult<TxHash> Params::tx_hash(std::size_t index) const { return read(index, evm::read_tx_hash); }
MethodResult<BlockHash> Params::block_hash(std::size_t index) const { return read(index, evm::read_block_hash); }

MethodResult<ChosenBlock> Params::block(std::size_t index, const DevLedger& ledger) const {
    const auto& json = at(index);
    if (json.is_null()) return by_tag(At::latest, ledger);
    if (json.is_object()) return by_object(json, index, ledger);
    if (json.is_string()) {
        if (json.get_string() == "earliest") return by_number(0, ledger);
        if (const auto tag = value_of<At>(std::string_view(json.get_string()))) return by_tag(*tag, ledger);
    }
    const auto number = evm::read_quantity(json, "it");
    if (!number) return err(invalid(index, number.error().what));
    return by_number(*number, ledger);
}

MethodResult<ChosenBlock> Params::block_with_state(std::size_t index, const DevLedger& ledger) const {
    auto chosen = block(index, ledger);
    if (chosen && chosen->block == nullptr) return err(RpcFailure{RpcCode::server_error, "header not found"});
    return chosen;
}

}  // namespace fencepost::devchain
