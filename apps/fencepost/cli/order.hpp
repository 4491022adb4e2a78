// What the commands that act on a transaction or submitter share: a POST with a reason for the history.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/api_client.hpp"

namespace fencepost::cli {

[[nodiscard]] ApiCall order(std::vector<std::string> path, const std::string& reason);

void add_reason(CLI::App& command, std::string& reason);

}  // namespace fencepost::cli
