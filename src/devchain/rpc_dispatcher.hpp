// JSON-RPC 2.0 as text: a request or a batch in, the answer out. Every input is answered, valid or not.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "devchain/dev_ledger.hpp"
#include "ports/clock.hpp"

namespace fencepost::devchain {

class RpcDoor {
public:
    /// Both must outlive it.
    RpcDoor(DevLedger& ledger, Clock& clock, bool mines_at_once);
    ~RpcDoor();
    RpcDoor(const RpcDoor&) = delete;
    RpcDoor& operator=(const RpcDoor&) = delete;

    /// Empty when no answer is due: for a request without an id, or a batch of such requests.
    [[nodiscard]] std::string answer(std::string_view text);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::devchain
