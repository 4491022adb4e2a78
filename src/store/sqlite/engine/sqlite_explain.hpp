// Explains SQLite's failures to operators.
#pragma once

#include <string>

#include "store/sqlite/engine/sqlite_database.hpp"

namespace fencepost::store::sqlite {

/// What is wrong with the file and what to do about it, without a full stop.
[[nodiscard]] std::string explain(const std::string& path, const SqliteError& error);

}  // namespace fencepost::store::sqlite
