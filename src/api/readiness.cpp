#include "api/readiness.hpp"

#include <utility>

namespace fencepost::api {
namespace {

constexpr Duration fresh_for = std::chrono::seconds(1);

}  // namespace

/// A request that waits for the checks of another one.
class Readiness::Waiting {
public:
    explicit Waiting(Readiness& readiness)
        : bell(readiness.executor_),
          readiness_(readiness),
          place_(readiness.waiting_.insert(readiness.waiting_.end(), &bell)) {}
    ~Waiting() { readiness_.waiting_.erase(place_); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    Wakeup bell;

private:
    Readiness& readiness_;
    std::list<Wakeup*>::iterator place_;
};

/// Wakes the waiting requests however the checks end. When they were cancelled, one of the waiting requests runs them.
class Readiness::Looking {
public:
    explicit Looking(Readiness& readiness) : readiness_(readiness) { readiness_.looking_ = true; }
    ~Looking() {
        readiness_.looking_ = false;
        for (auto* const bell : readiness_.waiting_)
            bell->notify();
    }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

private:
    Readiness& readiness_;
};

Readiness::Readiness(const Executor& executor, Clock& clock, const std::vector<MakeHealthCheck>& checks)
    : executor_(executor),
      clock_(clock),
      checks_(checks) {}

bool Readiness::is_fresh() const { return found_at_ && clock_.monotonic() - *found_at_ < fresh_for; }

Task<void> Readiness::look() {
    const Looking looking(*this);
    std::vector<HealthCheck> found;
    found.reserve(checks_.size());
    for (const auto& check : checks_)
        found.push_back(co_await check());
    found_ = std::move(found);
    found_at_ = clock_.monotonic();
}

Task<std::vector<HealthCheck>> Readiness::ask() {
    while (!is_fresh()) {
        if (looking_) {
            Waiting waiting(*this);
            co_await waiting.bell.wait();
        } else {
            co_await look();
        }
    }
    co_return found_;
}

}  // namespace fencepost::api
