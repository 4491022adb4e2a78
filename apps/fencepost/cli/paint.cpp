#include "cli/paint.hpp"

#include <cstdlib>
#include <unistd.h>

#include "base/assert.hpp"

namespace fencepost::cli {
namespace {

std::string_view code_of(Style style) {
    switch (style) {
        case Style::plain:
            return "";
        case Style::good:
            return "\x1b[32m";
        case Style::bad:
            return "\x1b[31m";
        case Style::attention:
            return "\x1b[33m";
        case Style::dim:
            return "\x1b[2m";
        case Style::bold:
            return "\x1b[1m";
    }
    FP_UNREACHABLE();
}

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1 && variable("TERM") != "dumb"; }

}  // namespace

std::string Paint::operator()(Style style, std::string_view text) const {
    if (!colours || style == Style::plain || text.empty()) return std::string(text);
    return std::string(code_of(style)) + std::string(text) + "\x1b[0m";
}

Style style_of(std::string_view state) {
    const auto name = state.substr(0, state.find(' '));
    if (name == "CONFIRMED" || name == "ACTIVE") return Style::good;
    if (name == "FAILED_FINAL" || name == "REJECTED" || name == "PROTECT") return Style::bad;
    if (name == "STUCK" || name == "UNKNOWN_SUBMIT_RESULT" || name == "PAUSED") return Style::attention;
    if (name == "CANCELLED") return Style::dim;
    return Style::plain;
}

Screen Screen::of_this_process() {
    return {.paint = {.colours = is_terminal(STDOUT_FILENO) && variable("NO_COLOR").empty()},
            .live = is_terminal(STDERR_FILENO)};
}

}  // namespace fencepost::cli
