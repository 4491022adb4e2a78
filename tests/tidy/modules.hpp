// The allowed dependencies between modules as a table, and the rule that checks every #include against it.
#pragma once

#include <string_view>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// "http" for src/http/server.cpp; empty outside src/.
[[nodiscard]] std::string_view module_of(std::string_view path);

/// Whether a module implements a port with a technology: it may read clocks, start threads and use third-party
/// libraries.
[[nodiscard]] bool is_adapter(std::string_view module);

/// Includes of a module that the table does not allow, and modules missing from the table.
[[nodiscard]] Findings forbidden_edges(const SourceFile& file);

}  // namespace fencepost::tidy
