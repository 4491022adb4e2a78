// Submits the sample transactions of the demo over HTTP, as any client would.
#pragma once

#include <cstdint>
#include <string>

#include "base/async/task.hpp"
#include "demo/samples.hpp"
#include "ports/clock.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::demo {

class SampleClient {
public:
    /// `url` is the API; the store is only read, to see the progress of a sample.
    SampleClient(Executor executor, Clock& clock, Queries& store, std::string url, std::uint64_t chain_id);

    /// Whether it was accepted. A refusal is printed, and the demo continues without that sample.
    [[nodiscard]] Task<bool> submit(Sample sample);
    /// Cancels a sample as soon as it was broadcast.
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
