// Submitter state is written only under its fence (law 1). The compiler cannot check that; this rule finds every SQL
// statement that writes such a table and compares it with docs/internals/critical-writes.md, which says why each write
// is allowed. A write that is missing in the document is a finding, and so is a line of the document without a write.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// (path, table) of every INSERT, UPDATE and DELETE on a submitter's table in src/ and apps/, except in tests.
using SqlWrites = std::set<std::pair<std::string, std::string>>;
[[nodiscard]] SqlWrites sql_writes(const SourceTree& tree);

/// The rows "| `path` | `table` |" of the document.
[[nodiscard]] SqlWrites documented_writes(const std::string& document);

[[nodiscard]] Findings undocumented_writes(const SourceTree& tree);

}  // namespace fencepost::tidy
