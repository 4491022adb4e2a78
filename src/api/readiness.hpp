// Whether this node should be sent requests. Everybody may ask (/readyz wants no key), and asking costs the database a
// connection: so its parts are looked at once a second at the most, and once for all who ask meanwhile.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "api/dependencies.hpp"
#include "base/async/wakeup.hpp"

namespace fencepost::api {

class Readiness {
public:
    /// Clock and checks outlive it.
    Readiness(const Executor& executor, Clock& clock, const std::vector<MakeHealthCheck>& checks);

    /// What each check found, a second ago at the most.
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
