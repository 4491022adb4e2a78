// Child processes of a test. None outlives the test program, however that ends.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace fencepost::test {

struct ChildOptions {
    std::string user{};        // run as this user; empty: the current user
    std::string folder = "/";  // working folder
    std::string log{};         // append output to this file; empty: inherit it
    int parent_death_signal = 9;
};

class ChildProcess {
public:
    /// Throws std::runtime_error when it cannot be started.
    ChildProcess(std::vector<std::string> command, const ChildOptions& options);
    /// Kills the process if it still runs.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    void signal(int number) const;
    /// Stops the process as a debugger would, and returns when it has stopped. SIGCONT continues it.
    void stall() const;
    /// Waits for its end and returns its exit code, or 128 plus the signal number.
    int wait();
    [[nodiscard]] bool has_ended();

private:
    pid_t pid_ = -1;
    int status_ = 0;
};

}  // namespace fencepost::test
