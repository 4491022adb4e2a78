// The files of db/migration as they were when the program was built; the other half is made by the build.
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
