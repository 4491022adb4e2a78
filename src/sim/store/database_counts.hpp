// The faults that a simulated database injected. A run that injected nothing proves nothing, so each fault is counted
// when it takes effect.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fencepost::sim {

struct DatabaseCounts {
    std::uint64_t calls = 0;
    std::uint64_t slow = 0;
    std::uint64_t serialization_failures = 0;
    std::uint64_t requests_lost = 0;
    std::uint64_t answers_lost = 0;              // of an executed call
    std::uint64_t commits_late = 0;              // after the caller stopped waiting
    std::uint64_t commits_after_node_death = 0;  // after the caller's node had died
    std::uint64_t timed_out = 0;
    std::uint64_t cut_off = 0;
    std::uint64_t refused_while_down = 0;
    std::uint64_t rolled_back_by_outage = 0;
    std::uint64_t busy = 0;
    std::uint64_t fenced = 0;
    std::uint64_t blocked_openings = 0;
    std::uint64_t evictions = 0;

    using Field = std::pair<std::string_view, std::uint64_t DatabaseCounts::*>;
    [[nodiscard]] static const std::array<Field, 15>& fields();

    DatabaseCounts& operator+=(const DatabaseCounts& other) {
        for (const auto& [name, field] : fields())
            this->*field += other.*field;
        return *this;
    }
    friend bool operator==(const DatabaseCounts&, const DatabaseCounts&) = default;
};

inline const std::array<DatabaseCounts::Field, 15>& DatabaseCounts::fields() {
    static constexpr std::array<Field, 15> all{{
        {"calls", &DatabaseCounts::calls},
        {"slow", &DatabaseCounts::slow},
        {"serialization_failures", &DatabaseCounts::serialization_failures},
        {"requests_lost", &DatabaseCounts::requests_lost},
        {"answers_lost", &DatabaseCounts::answers_lost},
        {"commits_late", &DatabaseCounts::commits_late},
        {"commits_after_node_death", &DatabaseCounts::commits_after_node_death},
        {"timed_out", &DatabaseCounts::timed_out},
        {"cut_off", &DatabaseCounts::cut_off},
        {"refused_while_down", &DatabaseCounts::refused_while_down},
        {"rolled_back_by_outage", &DatabaseCounts::rolled_back_by_outage},
        {"busy", &DatabaseCounts::busy},
        {"fenced", &DatabaseCounts::fenced},
        {"blocked_openings", &DatabaseCounts::blocked_openings},
        {"evictions", &DatabaseCounts::evictions},
    }};
    return all;
}

}  // namespace fencepost::sim
