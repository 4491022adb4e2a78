#include "domain/tx/requeue.hpp"

#include <algorithm>
#include <string_view>

#include "base/crypto/keccak.hpp"

namespace fencepost {
namespace {

constexpr std::string_view reserved = "fencepost:requeue:";

}  // namespace

TxId requeued_id(const TxId& from) {
    const auto request = requeued_request(from);
    const auto digest = keccak256(as_bytes(request.value()));
    Uuid id;
    std::copy_n(digest.begin(), id.data.size(), id.data.begin());
    id.data[6] = static_cast<std::uint8_t>((id.data[6] & 0x0FU) | 0x80U);
    id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3FU) | 0x80U);
    return TxId(id);
}

RequestId requeued_request(const TxId& from) { return RequestId(std::string(reserved) + from.value().to_string()); }

bool is_reserved(const RequestId& request) { return request.value().starts_with(reserved); }

}  // namespace fencepost
