// A destination for alerts, such as the log or a webhook.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "ports/alerts.hpp"

namespace fencepost::alerts {

/// An alert as sent to operators: at once when it is new, and again, with a count, while it keeps being raised.
struct Notice {
    Alert alert;
    UnixTime at;
    /// How often it was raised since the last notice; 1 for a new one.
    std::uint64_t times = 1;
    bool reminder = false;

    friend bool operator==(const Notice&, const Notice&) = default;
};

/// Contract: notify() never blocks, never fails and never throws.
class AlertSink {
public:
    virtual ~AlertSink() = default;
    virtual void notify(const Notice& notice) = 0;
};

}  // namespace fencepost::alerts
