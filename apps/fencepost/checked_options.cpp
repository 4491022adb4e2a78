#include "checked_options.hpp"

#include <fmt/format.h>

#include "config/keys/values.hpp"

namespace fencepost {
namespace {

std::string check_loopback_address(const std::string& text) {
    const auto address = http::ListenAddress::parse(text);
    if (!address) return address.error().what;
    if (http::is_loopback(address->host)) return "";
    return fmt::format(
        "{} can be reached by other machines, and this service has no authentication; use 127.0.0.1:{}, and from "
        "another "
        "machine use a tunnel, such as ssh -L {}:127.0.0.1:{} THIS-MACHINE",
        address->host, address->port, address->port, address->port);
}

std::string check_duration(const std::string& text) {
    const auto duration = config::read_duration(text);
    return duration ? "" : fmt::format("\"{}\" {}", text, duration.error().what);
}

}  // namespace

CLI::Option* add_loopback_address(CLI::App& command, const std::string& name, http::ListenAddress& target,
                                  const std::string& what) {
    const auto set = [&target](const std::string& text) { target = *http::ListenAddress::parse(text); };
    return command.add_option_function<std::string>(name, set, what)
        ->type_name("HOST:PORT")
        ->check(CLI::Validator(check_loopback_address, ""))
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
