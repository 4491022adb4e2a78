# The third-party libraries, each under one target name of this project.

find_package(Boost 1.81 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(yaml-cpp REQUIRED)
pkg_check_modules(BOTAN REQUIRED IMPORTED_TARGET botan-2)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(SECP256K1 REQUIRED IMPORTED_TARGET libsecp256k1)
# Not through its CMake package, which also requires curl and a web server.
pkg_check_modules(PROMETHEUS REQUIRED IMPORTED_TARGET prometheus-cpp-core)
pkg_check_modules(P11KIT REQUIRED p11-kit-1)  # for its header of PKCS#11 only

# Asio, Beast and JSON are compiled once, in src/base/*_impl.cpp, instead of in every file.
add_library(fp_boost INTERFACE)
target_link_libraries(fp_boost INTERFACE Boost::headers Threads::Threads)
target_compile_definitions(fp_boost INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE
  BOOST_BEAST_SEPARATE_COMPILATION)

if(FENCEPOST_TESTS)
  find_package(GTest REQUIRED)
  # Debian ships RapidCheck without a CMake package.
  find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
  find_path(RAPIDCHECK_INCLUDE rapidcheck/gtest.h REQUIRED)
  add_library(fp_test INTERFACE)
  target_include_directories(fp_test SYSTEM INTERFACE ${RAPIDCHECK_INCLUDE})
  target_link_libraries(fp_test INTERFACE GTest::gmock GTest::gtest_main ${RAPIDCHECK_LIBRARY})
endif()
