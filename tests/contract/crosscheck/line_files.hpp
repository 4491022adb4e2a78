// Shared parts of the cross-checks: a seed, and line files in a temporary folder that is removed with the test.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::codec::test {

/// Random cases are the same in every run.
inline constexpr std::uint64_t seed_of_every_run = 20'240'801;

class LineFiles {
public:
    LineFiles() {
        auto name = (std::filesystem::temp_directory_path() / "fencepost-crosscheck-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
        folder_ = name;
    }
    ~LineFiles() { std::filesystem::remove_all(folder_); }
    LineFiles(const LineFiles&) = delete;
    LineFiles& operator=(const LineFiles&) = delete;

    [[nodiscard]] std::filesystem::path path(std::string_view name) const { return folder_ / name; }

    void write(std::string_view name, const std::vector<std::string>& lines) const {
        std::ofstream out(path(name));
        for (const auto& line : lines)
            out << line << '\n';
    }

    [[nodiscard]] std::string read(std::string_view name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }

private:
    std::filesystem::path folder_;
};

}  // namespace fencepost::codec::test
