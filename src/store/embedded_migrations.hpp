// The files of db/migration, embedded at build time; the build generates the definitions.
#pragma once

#include <span>
#include <string_view>

namespace fencepost::store {

struct EmbeddedFile {
    std::string_view store;  // the folder: postgres or sqlite
    std::string_view name;
    std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_migrations();

}  // namespace fencepost::store
