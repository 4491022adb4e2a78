// How well an endpoint serves, judged by what it did: whether it answers, how fast, how high it is. Pure: the time is
// an argument. What a node says about a transaction or a question never counts against it (failure 4).
#pragma once

#include <cstddef>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"
#include "jsonrpc/json_rpc.hpp"

namespace fencepost::evm {

struct HealthOptions {
    /// So many failures in a row take it out of service.
    std::size_t failures_to_quarantine = 3;
    /// Out of service for that long, doubled each time the probe that follows fails, up to the maximum.
    Duration quarantine = std::chrono::seconds(1);
    Duration max_quarantine = std::chrono::seconds(60);
    /// After a 429 without Retry-After; doubled from one to the next, up to the maximum, which bounds Retry-After, too:
    /// a server must not send us away for a year.
    Duration back_off = std::chrono::milliseconds(500);
    Duration max_back_off = std::chrono::seconds(60);
};

enum class Service {
    in_service,   //
    backing_off,  // asked us to slow down
    quarantined,  // does not answer
    probing,      // was quarantined; one call is under way to find out
};
FP_ENUM_NAMES(Service, as_written, in_service, backing_off, quarantined, probing)

class EndpointHealth {
public:
    explicit EndpointHealth(HealthOptions options) : options_(options) {}

    /// Whether it may be asked now. After a quarantine one call may, the probe; the next once that has ended.
    [[nodiscard]] Service service(Instant now) const;
    [[nodiscard]] bool may_ask(Instant now) const { return service(now) == Service::in_service; }
    /// When it may be asked again, as far as is known; `now` if it may.
    [[nodiscard]] Instant available_at(Instant now) const;

    // A call: began, and then one of the ends.
    void began(Instant now);
    /// Also with an error of the node's own: it is there, and understood.
    void answered(std::optional<Duration> latency);
    void failed(Instant now, const jsonrpc::Failure& failure);
    /// In words, under status 200.
    void told_to_slow_down(Instant now);
    /// It ended without telling anything about the endpoint: cancelled, or never sent.
    void abandoned();

    void saw_head(BlockNumber head) { head_ = head; }

    [[nodiscard]] std::size_t failures_in_a_row() const { return failures_; }
    /// Averaged, the last ones weighing most; none before the first answer.
    [[nodiscard]] std::optional<Duration> latency() const { return latency_; }
    [[nodiscard]] std::optional<BlockNumber> head() const { return head_; }

private:
    void back_off(Instant now, std::optional<Duration> asked_for);
    void quarantine(Instant now);

    HealthOptions options_;
    std::size_t failures_ = 0;
    std::size_t quarantines_ = 0;  // in a row
    std::size_t back_offs_ = 0;    // in a row
    bool probing_ = false;
    std::optional<Instant> quarantined_until_{};
    std::optional<Instant> backing_off_until_{};
    std::optional<Duration> latency_{};
    std::optional<BlockNumber> head_{};
};

}  // namespace fencepost::evm
