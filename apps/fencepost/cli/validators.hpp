// Validators for command line values, so that errors are reported before anything is sent.
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
/// The error lists all names.
[[nodiscard]] CLI::Validator one_of_check(std::vector<std::string> names);

}  // namespace fencepost::cli
