#include "configured.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace fencepost {
namespace {

config::Environment environment() {
    config::Environment variables;
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

std::optional<config::ConfigFile> read_file(const std::string& name) {
    const std::ifstream in(name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();  // a folder can be opened, and is bad then; an empty file only fails
    if (!in.is_open() || text.bad()) return std::nullopt;
    return config::ConfigFile{.name = name, .text = std::move(text).str()};
}

}  // namespace

std::shared_ptr<ConfigOptions> add_config_options(CLI::App& command) {
    auto options = std::make_shared<ConfigOptions>();
    command.add_option("--config", options->file, "The configuration, a YAML file")->type_name("FILE");
    command.allow_extras();
    command.footer(
        "Every key of the configuration is a flag, too, as in --confirmations.required 12, and a variable,\n"
        "as in FENCEPOST_CONFIRMATIONS_REQUIRED=12: see fencepost config reference.");
    return options;
}

void take_arguments(const CLI::App& command, ConfigOptions& options) {
    const auto rest = command.remaining();
    options.arguments.insert(options.arguments.end(), rest.begin(), rest.end());
}

std::optional<config::Loaded> load_or_explain(const ConfigOptions& options) {
    config::Sources sources{.environment = environment(), .arguments = options.arguments};
    auto name = options.file;
    if (const auto found = sources.environment.find("FENCEPOST_CONFIG");
        name.empty() && found != sources.environment.end()) {
        name = found->second;
    }
    if (!name.empty()) {
        sources.file = read_file(name);
        if (!sources.file) {
            fmt::print(stderr, "{}: the configuration cannot be read: check that the file is there and may be read\n",
                       name);
            return std::nullopt;
        }
    }
    auto loaded = config::load(sources);
    if (loaded) return *std::move(loaded);
    for (const auto& problem : loaded.error())
        fmt::print(stderr, "{}\n", problem.to_string());
    return std::nullopt;
}

}  // namespace fencepost
