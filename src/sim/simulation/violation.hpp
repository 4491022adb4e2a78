// The result of a run: the first violation, if any, and counts of the injected faults. A simulator that injects nothing
// proves nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/time.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::sim {

/// The history that explains a violation: that of a transaction, or of a whole lane when no transaction can be named.
using Subject = std::variant<std::monostate, TxId, SubmitterId>;

/// The transaction, or its lane when there is none.
[[nodiscard]] inline Subject subject_of(const std::optional<TxId>& tx, const SubmitterId& submitter) {
    return tx ? Subject(*tx) : Subject(submitter);
}

struct Violation {
    std::string law;
    std::string what;
    Subject subject{};
    Instant at{};
};

/// Collects violations. The first one ends the run at once: what follows from a broken law is noise.
class ViolationRecorder {
public:
    explicit ViolationRecorder(std::function<void()> stop) : stop_(std::move(stop)) {}

    void report(Instant at, std::string law, std::string what, Subject subject = {}) {
        if (!violation_) violation_ = Violation{std::move(law), std::move(what), std::move(subject), at};
        stop_();
    }
    [[nodiscard]] bool is_clean() const { return !violation_.has_value(); }
    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }

private:
    std::function<void()> stop_;
    std::optional<Violation> violation_;
};

/// By name, so that sums over many runs can be printed directly.
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
