// Colours for a terminal. A pipe, a log file or NO_COLOR gets plain text.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

enum class Style { plain, good, bad, attention, dim, bold };

struct Paint {
    bool colours = false;

    [[nodiscard]] std::string operator()(Style style, std::string_view text) const;
};

/// The style of a transaction's state or a submitter's status.
[[nodiscard]] Style style_of(std::string_view state);

/// The terminal that this process writes to.
struct Screen {
    Paint paint{};
    /// Whether the output is interactive: progress lines then go to stderr.
    bool live = false;

    /// Decides by the types of stdout and stderr, NO_COLOR (no-color.org) and TERM.
    [[nodiscard]] static Screen of_this_process();
};

}  // namespace fencepost::cli
