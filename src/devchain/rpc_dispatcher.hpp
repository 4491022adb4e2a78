// JSON-RPC 2.0 as text: a request or a batch in, the answer out. Every input is answered, valid or not.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "devchain/dev_ledger.hpp"
#include "ports/clock.hpp"

namespace fencepost::devchain {

class RpcDispatcher {
public:
    /// Both must outlive it.
    RpcDispatcher(DevLedger& ledger, Clock& clock, bool automine);
    ~RpcDispatcher();
    RpcDispatcher(const RpcDispatcher&) = delete;
    RpcDispatcher& operator=(const RpcDispatcher&) = delete;

    /// Empty when no answer is due: for a request without an id, or a batch of such requests.
    [[nodiscard]] std::string answer(std::string_view text);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::devchain
