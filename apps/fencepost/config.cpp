// fencepost config: validates, prints and documents the configuration.
#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "config/print.hpp"
#include "config/reference.hpp"
#include "configured.hpp"
#include "print_json.hpp"

namespace fencepost {
namespace {

ExitCode check_for_programs(const ConfigOptions& options) {
    const auto loaded = load_configuration(options);
    boost::json::array problems;
    if (!loaded) {
        for (const auto& [where, what] : loaded.error())
            problems.push_back(boost::json::object{{"where", where}, {"what", what}});
    }
    print_json(boost::json::object{{"ok", loaded.has_value()}, {"problems", std::move(problems)}});
    return loaded ? exit_ok : exit_wrong_usage;
}

ExitCode check(const ConfigOptions& options, bool json) {
    if (json) return check_for_programs(options);
    const auto loaded = load_or_explain(options);
    if (!loaded) return exit_wrong_usage;
    const auto& config = loaded->config;
    fmt::print("ok: chains {}, submitters {}, signers {}\n", config.chains.size(), config.submitters.size(),
               config.signers.size());
    return exit_ok;
}

ExitCode print(const ConfigOptions& options, bool json) {
    const auto loaded = load_or_explain(options);
    if (!loaded) return exit_wrong_usage;
    fmt::print("{}", json ? config::print_json(*loaded) : config::print(*loaded));
    return exit_ok;
}

ExitCode reference(bool markdown) {
    fmt::print("{}", markdown ? config::reference_markdown() : config::reference_text());
    return exit_ok;
}

void add(CLI::App& config, Work& chosen, const std::string& name, const std::string& what,
         ExitCode (*work)(const ConfigOptions&, bool json)) {
    auto* command = config.add_subcommand(name, what);
    const auto options = add_config_options(*command);
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON");
    command->callback([&chosen, command, options, json, work] {
        take_arguments(*command, *options);
        chosen = [options, json, work] { return work(*options, *json); };
    });
}

}  // namespace

void add_config(CLI::App& program, Work& chosen) {
    auto* config = program.add_subcommand("config", "Check, print and explain the configuration");
    config->require_subcommand(0, 1);  // as in main.cpp
    add(*config, chosen, "check", "Report all problems of a configuration, one per line; exit code 2 if there are any",
        check);
    add(*config, chosen, "print", "Print the effective configuration and the source of each setting, without secrets",
        print);
    auto* explain = config->add_subcommand("reference", "Describe every key");
    const auto markdown = std::make_shared<bool>(false);
    explain->add_flag("--markdown", *markdown, "As docs/reference/configuration.md");
    explain->callback([&chosen, markdown] { chosen = [markdown] { return reference(*markdown); }; });
}

}  // namespace fencepost
