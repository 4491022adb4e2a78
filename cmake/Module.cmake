# The functions that declare build targets. The folder listing is the build: every x.cpp of a module's folder goes into
# its library and every x_test.cpp into its unit tests, so that no file can be forgotten (tests/tidy checks it).

# Headers that most files need and that take longest to parse are precompiled once per preset, and once more for HOT
# targets, because clang requires a precompiled header to have the same optimisation level as its user.
function(_fencepost_pch target)
  cmake_parse_arguments(arg "HOT" "" "" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pch/${target}.cpp CONTENT "")  # written only if it is not there yet
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/pch/${target}.cpp)
  target_link_libraries(${target} PRIVATE fp_boost fmt::fmt)
  if(arg_HOT)
    _fencepost_hot(${target})
  endif()
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cstdint> <expected> <filesystem> <functional> <map> <memory> <optional>
    <regex> <span> <string> <string_view> <thread> <unordered_map> <variant> <vector> <fmt/format.h>
    <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp> <boost/asio/ip/tcp.hpp>
    <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp>
    <boost/asio/any_io_executor.hpp> <boost/asio/experimental/awaitable_operators.hpp>
    <boost/asio/experimental/channel.hpp> <boost/json.hpp> ${arg_UNPARSED_ARGUMENTS})
endfunction()

# _fencepost_hot(<target>): optimises the target even in presets without optimisation. At -O0 the simulator and the
# scenarios take five times as long, which costs more than optimising them.
function(_fencepost_hot target)
  separate_arguments(flags NATIVE_COMMAND "${FENCEPOST_HOT_FLAGS}")
  target_compile_options(${target} PRIVATE ${flags})
endfunction()

# _fencepost_use_pch(<target> <HOT or nothing> <precompiled header>)
function(_fencepost_use_pch target hot header)
  if(hot)
    _fencepost_hot(${target})
    if(FENCEPOST_HOT_FLAGS)
      set(header ${header}_hot)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()

_fencepost_pch(fp_pch)
if(FENCEPOST_HOT_FLAGS)
  _fencepost_pch(fp_pch_hot HOT)
endif()
if(FENCEPOST_TESTS)
  set(test_headers <gtest/gtest.h> <gmock/gmock.h> <rapidcheck/gtest.h>)
  _fencepost_pch(fp_pch_test ${test_headers})
  target_link_libraries(fp_pch_test PRIVATE fp_test)
  if(FENCEPOST_HOT_FLAGS)
    _fencepost_pch(fp_pch_test_hot HOT ${test_headers})
    target_link_libraries(fp_pch_test_hot PRIVATE fp_test)
  endif()
endif()

# fencepost_in_units(<target> [SUBFOLDERS] <source…>): compiles the files of a folder together, FENCEPOST_UNIT at a
# time. With SUBFOLDERS the files of all sub-folders count as one folder's. Most compile time is spent on included
# headers and template instantiations, which a unit shares: see docs/internals/decisions/0026-units.md. Generated files
# and third-party library sources (*_impl.cpp) are compiled alone.
function(fencepost_in_units target)
  cmake_parse_arguments(arg "SUBFOLDERS" "" "" ${ARGN})
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(folder ${source} ABSOLUTE)
    get_filename_component(folder ${folder} DIRECTORY)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${folder} is_generated)
    if(arg_SUBFOLDERS AND NOT is_generated)
      set(folder ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    if(FENCEPOST_UNIT LESS 2 OR is_generated OR source MATCHES "_impl\\.cpp$")
      continue()
    endif()
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    math(EXPR unit "0${${folder}_files} / ${FENCEPOST_UNIT}")
    math(EXPR ${folder}_files "0${${folder}_files} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# _fencepost_in_suite(<name> <suite>): adds the program to the target suite_<suite>, so that a preset that needs only
# some suites need not build the rest.
function(_fencepost_in_suite name suite)
  if(NOT TARGET suite_${suite})
    add_custom_target(suite_${suite})
  endif()
  add_dependencies(suite_${suite} ${name})
endfunction()

# fencepost_gtest(<name> [SUBFOLDERS] [HOT] [LAWS] [SANITIZE | UNSANITIZED] [THREADS] [WAITS] [COST <seconds>]
# SUITE <suite> SOURCES … DEPENDS …): a test program whose cases belong to a suite of script/test. It is one ctest test,
# whose labels tell script/test how to run it:
#   gtest     its cases are counted individually
#   laws      a failure is never retried: a broken law, a broken fence or a failed run in virtual time is no accident
#   sanitize  also run under the address sanitizer
#   threads   also run under the thread sanitizer, because the tested code has threads
#   sanitizable  everything that is not UNSANITIZED: script/nightly runs it under both sanitizers
#   waits     waits more than it computes, so that another test can run beside it on the same core
# Expensive tests (COST) start first. The time limit per case is five minutes.
function(fencepost_gtest name)
  if(NOT FENCEPOST_TESTS)
    return()
  endif()
  set(words SUBFOLDERS HOT LAWS SANITIZE UNSANITIZED THREADS WAITS)
  cmake_parse_arguments(arg "${words}" "COST;SUITE" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set(subfolders)
  if(arg_SUBFOLDERS)
    set(subfolders SUBFOLDERS)
  endif()
  fencepost_in_units(${name} ${subfolders} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE fp_test fp_boost fmt::fmt ${arg_DEPENDS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_definitions(${name} PRIVATE
    FENCEPOST_SOURCE_DIR="${CMAKE_SOURCE_DIR}" FENCEPOST_VERSION="${PROJECT_VERSION}")
  _fencepost_use_pch(${name} "${arg_HOT}" fp_pch_test)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

  set(labels ${arg_SUITE} gtest)
  foreach(label LAWS SANITIZE THREADS WAITS)
    if(arg_${label})
      string(TOLOWER ${label} label)
      list(APPEND labels ${label})
    endif()
  endforeach()
  if(NOT arg_UNSANITIZED)
    list(APPEND labels sanitizable)
  endif()
  foreach(label IN LISTS labels)
    _fencepost_in_suite(${name} ${label})
  endforeach()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 300 COST 0${arg_COST})
endfunction()

# fencepost_module(<name> [SUBFOLDERS] [HOT] [LAWS] [SANITIZE] [THREADS] [WAITS] [TEST_COST <seconds>] DEPENDS …
# LIBRARIES …): the library fp_<name> from the current folder, and its tests; the keywords are explained at
# fencepost_in_units and fencepost_gtest. DEPENDS are modules of this project (short names), LIBRARIES third-party
# targets.
function(fencepost_module name)
  set(words SUBFOLDERS HOT LAWS SANITIZE THREADS WAITS)
  cmake_parse_arguments(arg "${words}" "TEST_COST" "DEPENDS;LIBRARIES;TEST_DEPENDS" ${ARGN})
  set(test_words ${ARGN})
  list(FILTER test_words INCLUDE REGEX "^(SUBFOLDERS|LAWS|SANITIZE|THREADS|WAITS)$")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM arg_DEPENDS PREPEND fp_)
  list(TRANSFORM arg_TEST_DEPENDS PREPEND fp_)

  if(sources)
    add_library(fp_${name} STATIC ${sources})
    set(subfolders)
    if(arg_SUBFOLDERS)
      set(subfolders SUBFOLDERS)
    endif()
    fencepost_in_units(fp_${name} ${subfolders} ${sources})
    set(scope PUBLIC)
    _fencepost_use_pch(fp_${name} "${arg_HOT}" fp_pch)
    target_link_libraries(fp_${name} PRIVATE fp_boost fmt::fmt)
  else()
    add_library(fp_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(fp_${name} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(fp_${name} ${scope} ${arg_DEPENDS} ${arg_LIBRARIES})

  if(tests)
    fencepost_gtest(${name}_unit ${test_words} COST 0${arg_TEST_COST} SUITE unit SOURCES ${tests}
      DEPENDS fp_${name} ${arg_TEST_DEPENDS})
  endif()
endfunction()

# fencepost_program(<name> DEPENDS … LIBRARIES …): an executable in bin/ from the current folder. Everything except
# main.cpp is a library, fp_program_<name>, so that its x_test.cpp files can form a test program.
function(fencepost_program name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LIBRARIES;TEST_DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  list(TRANSFORM arg_DEPENDS PREPEND fp_)
  list(TRANSFORM arg_TEST_DEPENDS PREPEND fp_)

  add_library(fp_program_${name} STATIC ${sources})
  fencepost_in_units(fp_program_${name} ${sources})
  target_link_libraries(fp_program_${name} PUBLIC ${arg_DEPENDS} ${arg_LIBRARIES} fp_boost fmt::fmt)
  target_include_directories(fp_program_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(fp_program_${name} PUBLIC FENCEPOST_VERSION="${PROJECT_VERSION}")
  target_precompile_headers(fp_program_${name} REUSE_FROM fp_pch)
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE fp_program_${name})
  target_precompile_headers(${name} REUSE_FROM fp_pch)

  if(tests)
    fencepost_gtest(${name}_unit SUITE unit SOURCES ${tests} DEPENDS fp_program_${name} ${arg_TEST_DEPENDS})
  endif()
endfunction()

# fencepost_fuzz(<name> DEPENDS …): a fuzz target for <name>.cpp. Under the fuzz preset it is a libFuzzer program; under
# every other preset it replays its corpus and a fixed number of seeded random inputs, so that it is always built and
# run.
function(fencepost_fuzz name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  list(TRANSFORM arg_DEPENDS PREPEND fp_)
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} fp_boost fmt::fmt)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  _fencepost_in_suite(${name} fuzz)
  if(FENCEPOST_LIBFUZZER)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME Fuzz.${name} COMMAND ${name} -max_total_time=20 -max_len=4096 -print_final_stats=1
      ${CMAKE_BINARY_DIR}/fuzz/found-${name} ${corpus})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz/found-${name})
  else()
    target_sources(${name} PRIVATE replay_main.cpp)
    add_test(NAME Fuzz.${name} COMMAND ${name} ${corpus})
  endif()
  set_tests_properties(Fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()
