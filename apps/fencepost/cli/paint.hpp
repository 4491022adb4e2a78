// Colours for people at a terminal, and for nobody else: a pipe, a log file or NO_COLOR gets the bare text.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

enum class Style { plain, good, bad, attention, dim, bold };

struct Paint {
    bool colours = false;

    [[nodiscard]] std::string operator()(Style style, std::string_view text) const;
};

/// How a state of a transaction, or the status of a submitter, is shown.
[[nodiscard]] Style style_of(std::string_view state);

/// What this process writes to.
struct Screen {
    Paint paint{};
    /// Whether somebody watches: lines about the progress go to stderr then.
    bool live = false;

    /// By what stdout and stderr are, NO_COLOR (no-color.org) and TERM.
    [[nodiscard]] static Screen of_this_process();
};

}  // namespace fencepost::cli
