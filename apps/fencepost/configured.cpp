#include "configured.hpp"

#include <array>
#include <cstdio>
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

// Uses C functions: they distinguish a read error, such as of a folder, from the end of the file.
std::optional<config::ConfigFile> read_file(const std::string& name) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 4096> part{};
    while (text.size() <= config::longest_file) {
        const auto length = std::fread(part.data(), 1, part.size(), file.get());
        text.append(part.data(), length);
        if (length < part.size()) break;
    }
    if (std::ferror(file.get()) != 0) return std::nullopt;
    return config::ConfigFile{.name = name, .text = std::move(text)};
}

}  // namespace

std::shared_ptr<ConfigOptions> add_config_options(CLI::App& command) {
    auto options = std::make_shared<ConfigOptions>();
    command.add_option("--config", options->file, "The configuration, a YAML file")->type_name("FILE");
    command.allow_extras();
    command.footer(
        "Every configuration key is also a flag, for example --confirmations.required 12, and a variable,\n"
        "for example FENCEPOST_CONFIRMATIONS_REQUIRED=12; see fencepost config reference.");
    return options;
}

void take_arguments(const CLI::App& command, ConfigOptions& options) {
    const auto rest = command.remaining();
    options.arguments.insert(options.arguments.end(), rest.begin(), rest.end());
}

Result<config::Loaded, config::Problems> load_configuration(const ConfigOptions& options) {
    config::Sources sources{.environment = environment(), .arguments = options.arguments};
    auto name = options.file;
    if (const auto found = sources.environment.find("FENCEPOST_CONFIG");
        name.empty() && found != sources.environment.end()) {
        name = found->second;
    }
    if (!name.empty()) {
        sources.file = read_file(name);
        if (!sources.file) {
            return err(config::Problems{
                {.where = name,
                 .what = "the configuration cannot be read: check that the file exists and is readable"}});
        }
    }
    return config::load(sources);
}

std::optional<config::Loaded> load_or_explain(const ConfigOptions& options) {
    auto loaded = load_configuration(options);
    if (loaded) return *std::move(loaded);
    for (const auto& problem : loaded.error())
        fmt::print(stderr, "{}\n", problem.to_string());
    return std::nullopt;
}

}  // namespace fencepost
