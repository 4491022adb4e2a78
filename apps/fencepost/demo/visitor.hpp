// Who hands in the samples of a demonstration: by HTTP, as anybody would.
#pragma once

#include <cstdint>
#include <string>

#include "base/async/task.hpp"
#include "demo/samples.hpp"
#include "ports/clock.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::demo {

class Visitor {
public:
    /// The API answers there; the store is only looked at, to see how far a sample has come.
    Visitor(Executor executor, Clock& clock, Queries& store, std::string url, std::uint64_t chain_id);

    /// Whether it was taken. If not, that is said, and the demonstration goes on without it.
    [[nodiscard]] Task<bool> hand_in(Sample sample);
    /// Changes its mind about a sample as soon as it was sent to the chain.
    [[nodiscard]] Task<void> cancel_once_sent(Sample sample);

private:
    [[nodiscard]] Task<bool> post(std::string path, std::string body, std::string what);

    Executor executor_;
    Clock& clock_;
    Queries& store_;
    std::string url_;
    std::uint64_t chain_id_;
};

}  // namespace fencepost::demo
