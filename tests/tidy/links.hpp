// A document that links to a page or a heading that is not there sends its reader nowhere. Every relative link of every
// Markdown file leads to a file, a folder or a heading of this repository, and the index of docs/ leads to every page.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source_tree.hpp"

namespace fencepost::tidy {

struct Link {
    std::size_t line = 0;
    std::string target;  // as it is written

    friend bool operator==(const Link&, const Link&) = default;
};

/// The links of a Markdown text, also images and reference definitions; none out of code.
[[nodiscard]] std::vector<Link> links_in(std::string_view markdown);

/// The anchors of a Markdown text, as GitHub makes them from its headings, and those of `<a id="…">`.
[[nodiscard]] std::set<std::string> anchors_in(std::string_view markdown);

/// Each link of a Markdown file that leads to no file, folder or heading of the tree.
[[nodiscard]] Findings broken_links(const SourceTree& tree);

/// Each page below docs/ to which no chain of links leads from the index, docs/README.md.
[[nodiscard]] Findings unlisted_pages(const SourceTree& tree);

}  // namespace fencepost::tidy
