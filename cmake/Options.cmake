# Compiler and linker options of all targets.

option(FENCEPOST_LIBFUZZER "Link the fuzz targets with libFuzzer instead of the corpus replayer" OFF)

option(FENCEPOST_TESTS "Build tests and benchmarks" ON)
set(FENCEPOST_UNIT 64 CACHE STRING "How many files of a folder are compiled together; 1 compiles each separately")
set(FENCEPOST_HOT_FLAGS "" CACHE STRING "Additional compiler flags for the modules where tests spend their time (HOT)")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR
    "Fencepost is built with clang 19 or newer (found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}). "
    "g++ 12 miscompiles coroutines: see docs/internals/decisions/0001-clang-19.md. Use script/build.")
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_link_options(-fuse-ld=lld-19)

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wimplicit-fallthrough -Wswitch-enum -Werror
  -Wno-missing-designated-field-initializers  # leaving the others at their defaults is why we name fields
  -fdiagnostics-color=always)

# ccache supports precompiled headers only when it may ignore their time stamps, and clang must then omit them.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
