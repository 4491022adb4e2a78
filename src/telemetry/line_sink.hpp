// Destination of finished log lines.
#pragma once

#include <string>

namespace fencepost::telemetry {

/// Contract: take() never blocks, never fails and never throws; it may be called from any thread.
class LineSink {
public:
    virtual ~LineSink() = default;
    /// A complete line with its trailing "
    /// ".
    virtual void take(std::string line) = 0;
};

}  // namespace fencepost::telemetry
