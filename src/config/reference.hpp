// The documentation of every configuration key, generated from the table of keys.
#pragma once

#include <string>

namespace fencepost::config {

/// For the terminal.
[[nodiscard]] std::string reference_text();
/// The whole of docs/reference/configuration.md.
[[nodiscard]] std::string reference_markdown();

}  // namespace fencepost::config
