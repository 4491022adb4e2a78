// The design's picture of who may know whom, as a table, and the rule that holds the #include lines to it.
#pragma once

#include <string_view>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// "http" of src/http/server.cpp; empty outside src/.
[[nodiscard]] std::string_view module_of(std::string_view path);

/// Whether a module turns a port into a technology: it may read clocks, start threads and use third-party libraries.
[[nodiscard]] bool is_adapter(std::string_view module);

/// Includes of another module that the design does not draw, and modules that the table does not know.
[[nodiscard]] Findings forbidden_edges(const SourceFile& file);

}  // namespace fencepost::tidy
