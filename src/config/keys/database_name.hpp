// The database that an option names: a PostgreSQL URL, otherwise a SQLite file.
#pragma once

#include <string>

#include "base/result.hpp"

namespace fencepost::config {

struct DatabaseName {
    enum class Kind { postgres, sqlite };

    Kind kind = Kind::sqlite;
    std::string place = "data/fencepost.db";  // the URL, or the file's path

    /// Accepts postgresql://…, sqlite:PATH or a path.
    [[nodiscard]] static Result<DatabaseName, ParseError> parse(const std::string& text);

    friend bool operator==(const DatabaseName&, const DatabaseName&) = default;
};

}  // namespace fencepost::config
