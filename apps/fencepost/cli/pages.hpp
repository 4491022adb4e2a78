// Prints paginated lists: one page and how to get the next one, or all pages as one document.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/session.hpp"

namespace fencepost::cli {

struct PageOptions {
    std::string limit{};
    std::string after{};
    bool all = false;
};

void add_page_options(CLI::App& command, PageOptions& options);

/// A hint for the end of a page that is not the last; default_decision empty.
[[nodiscard]] std::string next_page_hint(const json::value& page, const Paint& paint);

/// Prints the listed items as the options demand, with a hint how to continue.
ExitCode show_list(Session& session, const ApiCall& call, const PageOptions& options, const Render& render);

}  // namespace fencepost::cli
