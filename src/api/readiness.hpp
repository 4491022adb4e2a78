// Whether this node should receive requests. /readyz is public and each check costs a database connection, so the
// checks run at most once a second, and concurrent requests share one run.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "api/dependencies.hpp"
#include "base/async/wakeup.hpp"

namespace fencepost::api {

class Readiness {
public:
    /// Clock and checks must outlive it.
    Readiness(const Executor& executor, Clock& clock, const std::vector<MakeHealthCheck>& checks);

    /// The result of each check, at most one second old.
    [[nodiscard]] Task<std::vector<HealthCheck>> ask();

private:
    class Waiting;
    class Looking;

    [[nodiscard]] bool is_fresh() const;
    [[nodiscard]] Task<void> look();

    Executor executor_;
    Clock& clock_;
    const std::vector<MakeHealthCheck>& checks_;
    std::vector<HealthCheck> found_{};
    std::optional<Instant> found_at_{};
    bool looking_ = false;
    std::list<Wakeup*> waiting_{};
};

}  // namespace fencepost::api
