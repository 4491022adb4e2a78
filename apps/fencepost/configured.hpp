// The configuration of a subcommand that takes one: from its file, the environment, and what else stands on its command
// line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "config/load.hpp"

namespace fencepost {

struct ConfigOptions {
    std::string file;  // empty: what FENCEPOST_CONFIG names, or none
    /// Keys as flags, which CLI11 does not know.
    std::vector<std::string> arguments;
};

/// Adds --config, and lets every key be a flag. The arguments are there when the command's callback is called, and
/// take_arguments() has been.
[[nodiscard]] std::shared_ptr<ConfigOptions> add_config_options(CLI::App& command);
void take_arguments(const CLI::App& command, ConfigOptions& options);

[[nodiscard]] Result<config::Loaded, config::Problems> load_configuration(const ConfigOptions& options);
/// Nothing when there is a problem; all of them have been printed then, each in a line.
[[nodiscard]] std::optional<config::Loaded> load_or_explain(const ConfigOptions& options);

}  // namespace fencepost
