# Writes OUTPUT, a C++ file that embeds the text of each of the MIGRATIONS (db/migration/<store>/V<n>__<name>.sql).

set(text "// Made by cmake/EmbedMigrations.cmake.\n#include \"store/embedded_migrations.hpp\"\n\n")
string(APPEND text "namespace fencepost::store {\n\nstd::span<const EmbeddedFile> embedded_migrations() {\n")
string(APPEND text "    static constexpr EmbeddedFile files[] = {\n")
foreach(path IN LISTS MIGRATIONS)
  get_filename_component(name ${path} NAME)
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(store ${folder} NAME)
  file(READ ${path} sql)
  string(APPEND text "        {\"${store}\", \"${name}\", R\"__sql__(${sql})__sql__\"},\n")
endforeach()
string(APPEND text "    };\n    return files;\n}\n\n}  // namespace fencepost::store\n")
file(WRITE ${OUTPUT} "${text}")
