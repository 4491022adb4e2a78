#include "config/sources/flags.hpp"

#include <fmt/format.h>

namespace fencepost::config {

Flags read_flags(const std::vector<std::string>& arguments) {
    Flags flags;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        if (!argument.starts_with("--") || argument.size() == 2) {
            flags.problems.push_back(
                {.where = {},
                 .what = fmt::format("{} is unexpected: write --KEY VALUE, or --config FILE", in_quotes(argument))});
            continue;
        }
        const auto equals = argument.find('=');
        Setting setting{.path = argument.substr(2, equals == std::string::npos ? equals : equals - 2),
                        .items = {"true"},
                        .written = {},
                        .place = {.origin = Place::Origin::flag, .name = argument.substr(0, equals)}};
        if (equals != std::string::npos) {
            setting.items = {argument.substr(equals + 1)};
        } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
            setting.items = {arguments[++i]};
        } else {
            setting.is_bare = true;
        }
        setting.written = setting.items;
        flags.settings.push_back(std::move(setting));
    }
    return flags;
}

}  // namespace fencepost::config
