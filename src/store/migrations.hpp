// Which migrations a database needs, decided without a database. Files are named as Flyway names them, V1__init.sql,
// and applied once, in order; what was applied must not change afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace fencepost::store {

struct Migration {
    std::uint32_t version = 0;
    std::string name;
    std::string sql;
    std::string checksum;  // of the text, in hexadecimal

    friend bool operator==(const Migration&, const Migration&) = default;
};

struct AppliedMigration {
    std::uint32_t version = 0;
    std::string checksum;
};

/// Told of each migration when it is committed, so that what was done is known also when a later one fails.
using OnApplied = std::function<void(const Migration&)>;

/// The migrations of one store ("postgres" or "sqlite"), by version. That the files are well named and count up from 1
/// without a gap is the build's business, and asserted.
[[nodiscard]] std::vector<Migration> migrations_of(std::string_view store);

/// What is still to be applied, or why this program must not touch the database, as a sentence that says what to do.
[[nodiscard]] Result<std::vector<Migration>, std::string> pending(std::span<const Migration> known,
                                                                  std::span<const AppliedMigration> applied);

}  // namespace fencepost::store
