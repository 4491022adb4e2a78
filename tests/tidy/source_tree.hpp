// The files that the rules check. A rule sees project-relative paths and texts, never the disk, so that its tests can
// pass a made-up tree.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "finding.hpp"

namespace fencepost::tidy {

struct SourceFile {
    std::string path;
    std::string text;
};

/// Path to text.
using SourceTree = std::map<std::string, std::string>;

/// Every text file that git tracks or would track. Throws when there is none: a rule over no files would find nothing.
[[nodiscard]] SourceTree load_tree(const std::string& top);

/// The tree this program was built from.
[[nodiscard]] const SourceTree& project();

[[nodiscard]] std::string read_file(const std::string& path);

[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);
/// Counted from 1.
[[nodiscard]] std::size_t line_at(std::string_view text, std::size_t offset);

[[nodiscard]] bool is_cpp(std::string_view path);
[[nodiscard]] bool is_header(std::string_view path);
/// A unit test next to the code, a header of such tests (test_x.hpp), or anything under tests/.
[[nodiscard]] bool is_test(std::string_view path);

/// Applies a rule for single files to a whole tree.
template <typename Rule>
[[nodiscard]] Findings for_each_file(const SourceTree& tree, Rule rule) {
    Findings all;
    for (const auto& [path, text] : tree) {
        const Findings found = rule(SourceFile{path, text});
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

}  // namespace fencepost::tidy
