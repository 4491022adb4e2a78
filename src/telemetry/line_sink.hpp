// Where finished lines of a log go.
#pragma once

#include <string>

namespace fencepost::telemetry {

/// What an implementation promises: taking a line never waits, never fails and never throws; it may be called from any
/// thread.
class LineSink {
public:
    virtual ~LineSink() = default;
    /// A whole line, with the "\n" at its end.
    virtual void take(std::string line) = 0;
};

}  // namespace fencepost::telemetry
