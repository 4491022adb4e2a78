// Lays out the arguments of a call in ABI encoding: fixed-size values in place; for dynamic ones an offset in place and
// the value in the tail.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "codec/abi/abi_call.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

class AbiEncoder {
public:
    explicit AbiEncoder(std::size_t max_size) : max_size_(max_size) {}

    void bytes(ByteView bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

    /// Needs one value per parameter.
    [[nodiscard]] Result<Bytes, AbiError> encode(std::span<const AbiType> parameters,
                                                 const boost::json::array& values) &&;

private:
    /// One value of a sequence.
    struct Item {
        const AbiType* type;
        const boost::json::value* value;
        std::string key;  // its key in the enclosing JSON
    };
    using Items = std::vector<Item>;

    [[nodiscard]] Status<AbiError> sequence(const Items& items);
    [[nodiscard]] Status<AbiError> one(const Item& item);
    [[nodiscard]] Status<AbiError> by_kind(const AbiType& type, const boost::json::value& value);
    [[nodiscard]] Status<AbiError> array(const AbiType& type, const boost::json::value& value);
    [[nodiscard]] Status<AbiError> tuple(const AbiType& type, const boost::json::value& value);
    [[nodiscard]] Status<AbiError> tuple_by_name(const AbiType& type, const boost::json::object& fields);

    [[nodiscard]] std::unexpected<AbiError> refuse(const std::string& why) const;
    [[nodiscard]] std::unexpected<AbiError> too_large() const;

    std::size_t max_size_;
    Bytes out_;
    std::vector<const Item*> path_;  // of the value being written, from the argument down
};

}  // namespace fencepost::codec
