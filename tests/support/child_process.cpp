#include "support/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fencepost::test {
namespace {

constexpr int cannot_run = 127;

bool become(const passwd* user) {
    return user == nullptr || (::initgroups(user->pw_name, user->pw_gid) == 0 && ::setgid(user->pw_gid) == 0 &&
                               ::setuid(user->pw_uid) == 0);
}

bool write_to(const std::string& log) {
    if (log.empty()) return true;
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    return file >= 0 && ::dup2(file, STDOUT_FILENO) >= 0 && ::dup2(file, STDERR_FILENO) >= 0;
}

// Runs between fork and exec.
[[noreturn]] void run(char* const* arguments, const ChildOptions& options, const passwd* user, pid_t parent) {
    // Changing the user clears the parent-death signal, so it is set afterwards; the parent may have ended before that.
    const bool ready = become(user) && ::prctl(PR_SET_PDEATHSIG, options.parent_death_signal) == 0 &&
                       ::getppid() == parent && write_to(options.log) && ::chdir(options.folder.c_str()) == 0;
    if (ready) ::execv(arguments[0], arguments);
    ::_exit(cannot_run);
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> command, const ChildOptions& options) {
    const passwd* user = options.user.empty() ? nullptr : ::getpwnam(options.user.c_str());
    if (user == nullptr && !options.user.empty()) {
        throw std::runtime_error("no user \"" + options.user + "\" on this machine; run script/bootstrap");
    }
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (auto& word : command)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("cannot start " + command.front());
    if (pid_ == 0) run(arguments.data(), options, user, parent);
}

ChildProcess::~ChildProcess() {
    if (has_ended()) return;
    signal(SIGKILL);
    wait();
}

void ChildProcess::signal(int number) const {
    if (pid_ > 0) ::kill(pid_, number);
}

void ChildProcess::stall() const {
    signal(SIGSTOP);
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED) < 0 && errno == EINTR) {
    }
}

int ChildProcess::wait() {
    if (pid_ > 0) {
        while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

bool ChildProcess::has_ended() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
    return pid_ < 0;
}

}  // namespace fencepost::test
