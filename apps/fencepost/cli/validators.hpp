// Checks of what stands on the command line, so that a mistake is told before anything is sent.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace fencepost::cli {

[[nodiscard]] CLI::Validator url_check();
[[nodiscard]] CLI::Validator duration_check();
/// Wei, or with a unit; or hexadecimal wei.
[[nodiscard]] CLI::Validator amount_check();
[[nodiscard]] CLI::Validator address_check();
[[nodiscard]] CLI::Validator count_check();
/// Its complaint names them all.
[[nodiscard]] CLI::Validator one_of_check(std::vector<std::string> names);

}  // namespace fencepost::cli
