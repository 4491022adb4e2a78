#include "config/keys/database_name.hpp"

#include <string_view>

namespace fencepost::config {
namespace {

constexpr std::string_view sqlite_prefix = "sqlite:";

bool is_postgres(std::string_view text) { return text.starts_with("postgresql://") || text.starts_with("postgres://"); }

}  // namespace

Result<DatabaseName, ParseError> DatabaseName::parse(const std::string& text) {
    if (is_postgres(text)) return DatabaseName{Kind::postgres, text};
    const bool prefixed = text.starts_with(sqlite_prefix);
    const auto path = prefixed ? text.substr(sqlite_prefix.size()) : text;
    if (path.empty())
        return err(ParseError{"the database has no name: write postgresql://… or the path of a SQLite file"});
    // The text may contain a password, so the error does not quote it.
    if (path.contains("://")) {
        return err(
            ParseError{"the database URL has an unknown scheme: write postgresql://… or the "
                       "path of a SQLite file"});
    }
    return DatabaseName{Kind::sqlite, path};
}

}  // namespace fencepost::config
