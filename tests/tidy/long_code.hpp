// Lists long files and functions for the reader of a lint run. Length is only a hint, so nothing fails.
#pragma once

#include "source_tree.hpp"

namespace fencepost::tidy {

/// C++ files of more than 400 lines.
[[nodiscard]] Findings long_files(const SourceFile& file);

/// Functions of more than 60 lines, found approximately by matching braces.
[[nodiscard]] Findings long_functions(const SourceFile& file);

}  // namespace fencepost::tidy
