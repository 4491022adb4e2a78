// Loads the configuration for a subcommand, from its file, the environment and the command line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "config/load.hpp"

namespace fencepost {

struct ConfigOptions {
    std::string file;  // empty: the file named by FENCEPOST_CONFIG, or none
    /// Configuration keys given as flags, which CLI11 does not know.
    std::vector<std::string> arguments;
};

/// Adds --config, and accepts every configuration key as a flag. The arguments are available in the command's callback,
/// after take_arguments().
[[nodiscard]] std::shared_ptr<ConfigOptions> add_config_options(CLI::App& command);
void take_arguments(const CLI::App& command, ConfigOptions& options);

[[nodiscard]] Result<config::Loaded, config::Problems> load_configuration(const ConfigOptions& options);
/// None when there is a problem; all problems have been printed, one per line.
[[nodiscard]] std::optional<config::Loaded> load_or_explain(const ConfigOptions& options);

}  // namespace fencepost
