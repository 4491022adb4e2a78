// Length is a smell, not a mistake: these are listed for the reader of a lint run and fail nothing.
#pragma once

#include "source_tree.hpp"

namespace fencepost::tidy {

/// C++ files of more than 400 lines.
[[nodiscard]] Findings long_files(const SourceFile& file);

/// Functions of more than 60 lines, found by matching braces, roughly.
[[nodiscard]] Findings long_functions(const SourceFile& file);

}  // namespace fencepost::tidy
