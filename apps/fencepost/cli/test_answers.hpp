// Test data: API responses for the tests of their display.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

inline constexpr std::string_view test_id = "0192f0c1-2345-7abc-8def-0123456789ab";

/// A transaction in the given state; the sub-state is JSON.
inline std::string test_transaction(std::string_view state, std::string_view sub_state = "null",
                                    std::string_view error = "null") {
    const bool mined = sub_state == R"("MINED")" || state == "CONFIRMED";
    const std::string receipt =
        R"({"txHash":"0xaa","blockNumber":43,"blockHash":"0xbb","succeeded":true,"gasUsed":"21000",)"
        R"("effectiveGasPrice":"1500000000","contractAddress":null})";
    return R"({"txId":")" + std::string(test_id) +
           R"(","submitter":"eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","requestId":"order-17",)"
           R"("state":")" +
           std::string(state) + R"(","subState":)" + std::string(sub_state) + R"(,"txHash":"0xaa","blockNumber":)" +
           (mined ? "43" : "null") + R"(,"confirmations":)" + (mined ? "3" : "0") + R"(,"receipt":)" +
           (mined ? receipt : "null") + R"(,"error":)" + std::string(error) + R"(,"needsPerson":)" +
           (state == "STUCK" ? "true" : "false") +
           R"(,"cancelling":false,"verdictRevoked":false,"requeuedFrom":null,"requeuedAs":null,)"
           R"("createdAt":"2026-11-16T13:21:04.123Z",)"
           R"("updatedAt":"2026-11-16T13:21:05.000Z","confirmedAt":null,"payload":{"to":"0x70997970","value":)"
           R"("1000000000000000000","data":"0x","gas":null,"fee":"normal","validUntil":null}})";
}

}  // namespace fencepost::cli
