// What a run comes to: the first law that was broken, if any, and what was done to the cluster meanwhile. A simulator
// that injects nothing proves nothing, so everything that went wrong is counted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost::sim {

struct Violation {
    std::string law;
    std::string what;
    std::optional<TxId> tx{};
    Instant at{};
};

/// Takes complaints. The first one ends the run at once: what follows from a broken law is noise.
class Judge {
public:
    explicit Judge(std::function<void()> stop) : stop_(std::move(stop)) {}

    void blame(Instant at, std::string law, std::string what, std::optional<TxId> tx = std::nullopt) {
        if (!violation_) violation_ = Violation{std::move(law), std::move(what), tx, at};
        stop_();
    }
    [[nodiscard]] bool is_content() const { return !violation_.has_value(); }
    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }

private:
    std::function<void()> stop_;
    std::optional<Violation> violation_;
};

/// By name, so that sums over many runs print themselves.
using Counts = std::map<std::string, std::uint64_t>;

struct RunReport {
    std::uint64_t seed = 0;
    std::string settings;
    std::optional<Violation> violation;
    Counts counts;
    std::uint64_t trace_hash = 0;
    std::uint64_t steps = 0;
    Duration virtual_time{};
};

}  // namespace fencepost::sim
