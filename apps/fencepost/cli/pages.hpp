// Lists, which the server gives page by page: one page and where to go on, or all of them as one document.
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

/// For the end of a page that is not the last; else nothing.
[[nodiscard]] std::string how_to_go_on(const json::value& page, const Paint& paint);

/// What the call lists, as far as the options ask for it; people are told how to go on.
ExitCode show_list(Session& session, const ApiCall& call, const PageOptions& options, const Render& render);

}  // namespace fencepost::cli
