// Handles Ctrl-C and SIGTERM: the first signal asks the work to stop, the second ends the process at once.
#pragma once

#include <functional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "base/async/task.hpp"

namespace fencepost {

class StopSignal {
public:
    /// From now on the first signal is kept for run().
    explicit StopSignal(asio::io_context& context);

    /// Runs the work to its end. The first signal calls `stop`, so that the work can end; the next signal gets the
    /// system's default handling. Throws what the work throws.
    [[nodiscard]] Task<void> run(Task<void> work, std::function<void()> stop);

private:
    [[nodiscard]] Task<void> watch(std::function<void()> stop);

    asio::signal_set signals_;
};

}  // namespace fencepost
