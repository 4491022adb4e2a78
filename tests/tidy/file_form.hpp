// How files look, where neither clang-format nor clang-tidy judges it.
#pragma once

#include "source_tree.hpp"

namespace fencepost::tidy {

/// A header is included at most once, and a file opens with why it exists; a .cpp may leave that to its header.
[[nodiscard]] Findings bad_openings(const SourceFile& file);

/// Tabs, trailing white space and lines over 120 columns, in sources, SQL, scripts and CMake files.
[[nodiscard]] Findings bad_lines(const SourceFile& file);

/// A text file whose last line does not end. Fuzz inputs are bytes, not text.
[[nodiscard]] Findings missing_last_newline(const SourceFile& file);

/// Paths and package hosts of the machine a file happened to be written on.
[[nodiscard]] Findings machine_traces(const SourceFile& file);

}  // namespace fencepost::tidy
