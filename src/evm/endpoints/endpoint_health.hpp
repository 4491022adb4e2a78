// Health of one endpoint, measured by its behaviour: availability, latency, head. Pure: time is an argument. What a
// node says about a transaction or a request never counts against it (failure 4).
#pragma once

#include <cstddef>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"
#include "jsonrpc/json_rpc.hpp"

namespace fencepost::evm {

struct HealthOptions {
    /// This many consecutive failures take the endpoint out of service.
    std::size_t failures_to_quarantine = 3;
    /// Time out of service; doubles each time the probe that follows fails, up to the maximum.
    Duration quarantine = std::chrono::seconds(1);
    Duration max_quarantine = std::chrono::seconds(60);
    /// Back-off after a 429 without Retry-After; doubles with each one, up to the maximum. The maximum also caps
    /// Retry-After: a server must not send us away for a year.
    Duration back_off = std::chrono::milliseconds(500);
    Duration max_back_off = std::chrono::seconds(60);
};

enum class Service {
    in_service,   //
    backing_off,  // rate-limited us
    quarantined,  // does not respond
    probing,      // was quarantined; one probe call is in flight
};
FP_ENUM_NAMES(Service, as_written, in_service, backing_off, quarantined, probing)

class EndpointHealth {
public:
    explicit EndpointHealth(HealthOptions options) : options_(options) {}

    /// Whether a call may go now. After a quarantine a single probe may; the next call waits until the probe has ended.
    [[nodiscard]] Service service(Instant now) const;
    [[nodiscard]] bool is_available(Instant now) const { return service(now) == Service::in_service; }
    /// Earliest time of the next call, as far as is known; `now` if one may go at once.
    [[nodiscard]] Instant available_at(Instant now) const;

    // Life of a call: began(), then exactly one of the ends below.
    void began(Instant now);
    /// Also for a JSON-RPC error: the node is reachable and its answer was well-formed.
    void answered(std::optional<Duration> latency);
    void failed(Instant now, const jsonrpc::Failure& failure);
    /// A rate limit in the body of an HTTP 200 answer.
    void was_rate_limited(Instant now);
    /// The call ended without evidence about the endpoint: cancelled, or never sent.
    void abandoned();

    void saw_head(BlockNumber head) { head_ = head; }

    [[nodiscard]] std::size_t failures_in_a_row() const { return failures_; }
    /// Moving average, weighted towards recent answers; empty before the first answer.
    [[nodiscard]] std::optional<Duration> latency() const { return latency_; }
    [[nodiscard]] std::optional<BlockNumber> head() const { return head_; }

private:
    void back_off(Instant now, std::optional<Duration> asked_for);
    void quarantine(Instant now);

    HealthOptions options_;
    std::size_t failures_ = 0;
    std::size_t quarantines_ = 0;  // consecutive
    std::size_t back_offs_ = 0;    // consecutive
    bool probing_ = false;
    std::optional<Instant> quarantined_until_{};
    std::optional<Instant> backing_off_until_{};
    std::optional<Duration> latency_{};
    std::optional<BlockNumber> head_{};
};

}  // namespace fencepost::evm
