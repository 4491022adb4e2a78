// Compares known migrations with applied ones.
#include "store/migrations.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/crypto/keccak.hpp"
#include "base/text/hex.hpp"
#include "store/embedded_migrations.hpp"

namespace fencepost::store {
namespace {

Migration parse(const EmbeddedFile& file) {
    const auto separator = file.name.find("__");
    Migration migration{.name = std::string(file.name), .sql = std::string(file.text)};
    const auto* const digits_end = file.name.data() + std::min(separator, file.name.size());
    const auto [end, error] = std::from_chars(file.name.data() + 1, digits_end, migration.version);
    FP_ASSERT(file.name.starts_with('V') && error == std::errc{} && end == digits_end, "{} is not a migration",
              file.name);
    migration.checksum = to_hex(keccak256(as_bytes(file.text)));
    return migration;
}

}  // namespace

std::vector<Migration> migrations_of(std::string_view store) {
    std::vector<Migration> migrations;
    for (const auto& file : embedded_migrations()) {
        if (file.store == store) migrations.push_back(parse(file));
    }
    std::ranges::sort(migrations, {}, &Migration::version);
    for (std::size_t i = 0; i < migrations.size(); ++i) {
        FP_ASSERT(migrations[i].version == i + 1, "migration {} is missing", i + 1);
    }
    return migrations;
}

Result<std::vector<Migration>, std::string> pending(std::span<const Migration> known,
                                                    std::span<const AppliedMigration> applied) {
    std::vector<Migration> rest(known.begin(), known.end());
    for (const auto& done : applied) {
        const auto migration = std::ranges::find(rest, done.version, &Migration::version);
        if (migration == rest.end()) {
            return err(
                fmt::format("the database is at schema version {}, this program supports only {}: run the version that "
                            "migrated it, or a newer one",
                            done.version, known.size()));
        }
        if (migration->checksum != done.checksum) {
            return err(
                fmt::format("migration {} in the database differs from the one in this program: "
                            "restore the file as it was released, or find out who changed it",
                            migration->name));
        }
        rest.erase(migration);
    }
    return rest;
}

}  // namespace fencepost::store
