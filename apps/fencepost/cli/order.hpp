// What the commands that step in have in common: a POST, with a reason for whoever reads the history.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/api_client.hpp"

namespace fencepost::cli {

[[nodiscard]] ApiCall order(std::vector<std::string> path, const std::string& reason);

void add_reason(CLI::App& command, std::string& reason);

}  // namespace fencepost::cli
