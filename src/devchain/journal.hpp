// The file that stores a development chain: one line per change, appended when it happens. A process that is killed
// while it writes leaves an incomplete last line, which the next start removes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "devchain/operation.hpp"

namespace fencepost::devchain {

class Journal {
public:
    /// Opens or creates the file, locks it for this process and reads it. Throws StartupError when it cannot, or when
    /// the file contains something else. `genesis` is written into a new file and ignored otherwise.
    Journal(const std::filesystem::path& file, const Genesis& genesis);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// The first line of the file, and the changes that it contained when it was opened.
    [[nodiscard]] const Genesis& genesis() const { return genesis_; }
    [[nodiscard]] std::vector<Operation> take_history() { return std::exchange(history_, {}); }

    /// After append() a line survives the end of this process; after sync() also that of the machine. After a failure
    /// nothing more is written, so that only the last line can be incomplete.
    void append(const Operation& operation);
    void sync();
    /// The first write error, as a sentence.
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
