// Rules about the form of files that neither clang-format nor clang-tidy checks.
#pragma once

#include "source_tree.hpp"

namespace fencepost::tidy {

/// A header has an include guard, and a file opens with why it exists; a .cpp file may leave that to its header.
[[nodiscard]] Findings bad_openings(const SourceFile& file);

/// Tabs, trailing white space and lines over 120 columns, in sources, SQL, scripts and CMake files.
[[nodiscard]] Findings bad_lines(const SourceFile& file);

/// Text files without a final newline. Fuzz inputs are bytes, not text.
[[nodiscard]] Findings missing_last_newline(const SourceFile& file);

/// Paths and package hosts of the machine on which a file was written.
[[nodiscard]] Findings machine_traces(const SourceFile& file);

}  // namespace fencepost::tidy
