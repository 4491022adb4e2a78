// A temporary database file for a test, removed with its folder.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/assert.hpp"

namespace fencepost::store::sqlite {

class TestFile {
public:
    TestFile() : folder_(std::filesystem::temp_directory_path() / "fencepost-XXXXXX") {
        auto name = folder_.string();
        FP_ASSERT(mkdtemp(name.data()) != nullptr, "no temporary folder");
        folder_ = name;
    }
    ~TestFile() { std::filesystem::remove_all(folder_); }
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;

    [[nodiscard]] std::string path() const { return (folder_ / "fencepost.db").string(); }
    [[nodiscard]] std::string folder() const { return folder_.string(); }

private:
    std::filesystem::path folder_;
};

}  // namespace fencepost::store::sqlite
