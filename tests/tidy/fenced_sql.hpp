// What belongs to a submitter is written under its fence and nowhere else (law 1). No compiler sees that; but every
// statement that writes such a table can be found, and docs/internals/critical-writes.md says for each why it is
// allowed. A write that is not in the document fails, and so does a line of the document whose write is gone.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// (path, table) of every INSERT, UPDATE and DELETE on a submitter-owned table in src/ and apps/, tests left out.
using SqlWrites = std::set<std::pair<std::string, std::string>>;
[[nodiscard]] SqlWrites sql_writes(const SourceTree& tree);

/// The rows "| `path` | `table` |" of the document.
[[nodiscard]] SqlWrites documented_writes(const std::string& document);

[[nodiscard]] Findings undocumented_writes(const SourceTree& tree);

}  // namespace fencepost::tidy
