// Ids for tests in which their values do not matter.
#pragma once

#include <cstdint>

#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::lane::test {

inline const auto some_submitter = SubmitterId::evm(1, Address{});

inline TxId tx_id(std::uint8_t number) {
    Uuid id{};
    id.data.back() = number;
    return TxId(id);
}

}  // namespace fencepost::lane::test
