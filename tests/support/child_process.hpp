// Programs that a test starts. None outlives the test program, however that ends.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace fencepost::test {

struct ChildOptions {
    std::string user{};        // become this user; empty: stay who we are
    std::string folder = "/";  // run there
    std::string log{};         // append output there; empty: leave it
    int signal_at_our_end = 9;
};

class ChildProcess {
public:
    /// Throws std::runtime_error with a sentence when it cannot be started.
    ChildProcess(std::vector<std::string> command, const ChildOptions& options);
    /// Kills it if it still runs.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    void signal(int number) const;
    /// Stops it as a debugger would; when this returns it stands still. SIGCONT lets it go on.
    void stall() const;
    /// Waits for its end and gives its exit code, or 128 and the signal's number.
    int wait();
    [[nodiscard]] bool has_ended();

private:
    pid_t pid_ = -1;
    int status_ = 0;
};

}  // namespace fencepost::test
