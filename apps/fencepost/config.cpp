// fencepost config: says what is wrong with a configuration, what is in force, and what all keys mean.
#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "config/print.hpp"
#include "config/reference.hpp"
#include "configured.hpp"

namespace fencepost {
namespace {

ExitCode check(const ConfigOptions& options) {
    const auto loaded = load_or_explain(options);
    if (!loaded) return exit_wrong_usage;
    const auto& config = loaded->config;
    fmt::print("ok: chains {}, submitters {}, signers {}\n", config.chains.size(), config.submitters.size(),
               config.signers.size());
    return exit_ok;
}

ExitCode print(const ConfigOptions& options) {
    const auto loaded = load_or_explain(options);
    if (!loaded) return exit_wrong_usage;
    fmt::print("{}", config::print(*loaded));
    return exit_ok;
}

ExitCode reference(bool markdown) {
    fmt::print("{}", markdown ? config::reference_markdown() : config::reference_text());
    return exit_ok;
}

void add(CLI::App& config, Work& chosen, const std::string& name, const std::string& what,
         ExitCode (*work)(const ConfigOptions&)) {
    auto* command = config.add_subcommand(name, what);
    const auto options = add_config_options(*command);
    command->callback([&chosen, command, options, work] {
        take_arguments(*command, *options);
        chosen = [options, work] { return work(*options); };
    });
}

}  // namespace

void add_config(CLI::App& program, Work& chosen) {
    auto* config = program.add_subcommand("config", "Check, print and explain the configuration");
    config->require_subcommand(0, 1);  // as in main.cpp
    add(*config, chosen, "check", "Report all problems of a configuration, each in a line; 2 if there are any", check);
    add(*config, chosen, "print", "Print what is in force and where it came from, without secrets", print);
    auto* explain = config->add_subcommand("reference", "Explain every key");
    const auto markdown = std::make_shared<bool>(false);
    explain->add_flag("--markdown", *markdown, "As docs/configuration.md");
    explain->callback([&chosen, markdown] { chosen = [markdown] { return reference(*markdown); }; });
}

}  // namespace fencepost
