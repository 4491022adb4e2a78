// Decides at send time whether bytes may still be sent. Bytes may be queued in the adapter; by the time they leave, the
// lane may be closed, or may have recorded another attempt. It closes with the lane's memory.
#pragma once

#include <functional>
#include <memory>

#include "domain/ids.hpp"

namespace fencepost::lane {

struct LaneContext;
struct LaneMemory;

class SendGuard {
public:
    explicit SendGuard(const LaneMemory& memory) : open_(std::make_shared<const LaneMemory*>(&memory)) {}
    ~SendGuard() { *open_ = nullptr; }
    SendGuard(const SendGuard&) = delete;
    SendGuard& operator=(const SendGuard&) = delete;

    /// Null once the lane is closed.
    [[nodiscard]] std::shared_ptr<const LaneMemory* const> lane() const { return open_; }

private:
    std::shared_ptr<const LaneMemory*> open_;
};

/// Returns whether the bytes with this hash may still be sent at this nonce.
[[nodiscard]] std::function<bool(Nonce, const TxHash&)> send_permission(const LaneContext& lane,
                                                                        const LaneMemory& memory);

}  // namespace fencepost::lane
