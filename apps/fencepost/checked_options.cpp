#include "checked_options.hpp"

#include <fmt/format.h>

#include "config/values.hpp"

namespace fencepost {
namespace {

std::string check_address(const std::string& text) {
    const auto address = http::ListenAddress::parse(text);
    return address ? "" : address.error().what;
}

std::string check_duration(const std::string& text) {
    const auto duration = config::read_duration(text);
    return duration ? "" : fmt::format("\"{}\" {}", text, duration.error().what);
}

}  // namespace

CLI::Option* add_address(CLI::App& command, const std::string& name, http::ListenAddress& target,
                         const std::string& what) {
    const auto set = [&target](const std::string& text) { target = *http::ListenAddress::parse(text); };
    return command.add_option_function<std::string>(name, set, what)
        ->type_name("HOST:PORT")
        ->check(CLI::Validator(check_address, ""))
        ->default_str(target.to_string());
}

CLI::Option* add_duration(CLI::App& command, const std::string& name, Duration& target, const std::string& what) {
    const auto set = [&target](const std::string& text) { target = *config::read_duration(text); };
    return command.add_option_function<std::string>(name, set, what)
        ->type_name("TIME")
        ->check(CLI::Validator(check_duration, ""))
        ->default_str(config::show_duration(target));
}

}  // namespace fencepost
