// The file a development chain is kept in: one line for everything that happened, appended as it happens. A process
// that is killed in the middle of a line leaves a torn one, which the next start cuts off.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "devchain/operation.hpp"

namespace fencepost::devchain {

class Journal {
public:
    /// Opens or makes the file, for this process alone, and reads it. Throws StartupError when it cannot, and when the
    /// file holds something else. `genesis` is written into a new file, and is not looked at otherwise.
    Journal(const std::filesystem::path& file, const Genesis& genesis);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// What the file began with, and what had happened when it was opened.
    [[nodiscard]] const Genesis& genesis() const { return genesis_; }
    [[nodiscard]] std::vector<Operation> take_history() { return std::exchange(history_, {}); }

    /// Survives the end of this process; of the machine, once sync() was called after it. After a failure nothing more
    /// is written, so that the file ends with a torn line at worst.
    void append(const Operation& operation);
    void sync();
    /// Why it could not write, as a sentence.
    [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }

private:
    void lock();
    void read();
    void write(const std::string& line);
    void fail(const char* what);

    std::string name_;
    int descriptor_ = -1;
    Genesis genesis_;
    std::vector<Operation> history_;
    std::optional<std::string> failure_;
};

}  // namespace fencepost::devchain
