// AsyncSemaphore transaction histories into output lines, one line per new history entry. It is pure, so it is tested
// by itself.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::demo {

struct HistoryFormatterOptions {
    /// Ignore everything before this time. Times are printed relative to it.
    UnixTime since;
    bool colours = false;
};

struct HistoryLine {
    UnixTime at;
    std::string text;
};

class HistoryFormatter {
public:
    explicit HistoryFormatter(HistoryFormatterOptions options) : options_(options) {}

    /// The history entries of a transaction that were not printed yet, in order.
    [[nodiscard]] std::vector<HistoryLine> format_new(const TxView& transaction,
                                                      const std::vector<HistoryEntry>& history);

private:
    struct PrintedSteps {
        std::size_t steps = 0;
        std::string_view state;
    };

    [[nodiscard]] std::string line(const TxView& transaction, const HistoryEntry& entry, PrintedSteps& printed) const;
    [[nodiscard]] std::string coloured(std::string_view text, std::string_view state) const;

    HistoryFormatterOptions options_;
    std::map<TxId, PrintedSteps> printed_;
};

/// A short name for the output: the request id, or the first digits of the transaction id.
[[nodiscard]] std::string short_name(const TxView& transaction);

}  // namespace fencepost::demo
