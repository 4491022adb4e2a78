// Every key explained, from the table by which it is read.
#pragma once

#include <string>

namespace fencepost::config {

/// For a terminal.
[[nodiscard]] std::string reference_text();
/// docs/reference/configuration.md, whole.
[[nodiscard]] std::string reference_markdown();

}  // namespace fencepost::config
