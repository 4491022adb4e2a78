// Decides which migrations a database needs, without accessing one. Files follow Flyway's naming (V1__init.sql) and are
// applied once, in order; an applied migration must never change.
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

/// Called after each committed migration, so that progress is known even when a later one fails.
using OnApplied = std::function<void(const Migration&)>;

/// The migrations of one store ("postgres" or "sqlite"), by version. The build guarantees valid names and versions 1,
/// 2, 3 … without gaps; this is asserted.
[[nodiscard]] std::vector<Migration> migrations_of(std::string_view store);

/// The migrations still to be applied, or why this program must not touch the database and what to do.
[[nodiscard]] Result<std::vector<Migration>, std::string> pending(std::span<const Migration> known,
                                                                  std::span<const AppliedMigration> applied);

}  // namespace fencepost::store
