#include "links.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>

#include <fmt/format.h>

namespace fencepost::tidy {
namespace {

bool is_markdown(std::string_view path) { return path.ends_with(".md"); }

bool is_fence(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("```") || line.starts_with("~~~");
}

// Calls `take(line number, line)` for each line outside a fenced block.
template <typename Take>
void for_each_line_of_prose(std::string_view markdown, Take take) {
    bool in_code = false;
    std::size_t number = 0;
    for (const auto line : lines_of(markdown)) {
        ++number;
        if (is_fence(line)) {
            in_code = !in_code;
        } else if (!in_code) {
            take(number, line);
        }
    }
}

std::string without_inline_code(std::string_view line) {
    static const std::regex code("`[^`]*`");
    return std::regex_replace(std::string(line), code, "`");
}

bool leads_outside(std::string_view target) {
    static const std::regex scheme("^[a-zA-Z][a-zA-Z0-9+.-]*:");
    return std::regex_search(target.begin(), target.end(), scheme);
}

// GitHub's rule: lower case, blanks become hyphens, punctuation goes. Of what is not ASCII, letters stay; the
// punctuation and the arrows that we use are U+2000 to U+2FFF (three bytes, the first of them E2), and go.
std::string slug_of(std::string_view heading) {
    std::string slug;
    for (std::size_t at = 0; at < heading.size(); ++at) {
        const auto byte = static_cast<unsigned char>(heading[at]);
        if (byte == 0xe2) {
            at += 2;
        } else if (byte >= 0x80 || std::isalnum(byte) != 0 || byte == '-' || byte == '_') {
            slug.push_back(static_cast<char>(std::tolower(byte)));
        } else if (byte == ' ') {
            slug.push_back('-');
        }
    }
    return slug;
}

void add_heading(const std::string& line, std::set<std::string>& anchors) {
    static const std::regex form(R"(^#{1,6} +(.*?) *#*$)");
    static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
    std::smatch match;
    if (!std::regex_match(line, match, form)) return;
    const auto slug = slug_of(std::regex_replace(match[1].str(), link, "$1"));
    auto anchor = slug;
    for (int repeated = 1; anchors.contains(anchor); ++repeated)
        anchor = fmt::format("{}-{}", slug, repeated);
    anchors.insert(anchor);
}

// Of "docs/a/b.md" and "../c.md": "docs/c.md". Nothing where it leaves the repository.
std::optional<std::string> resolved(std::string_view from, std::string_view relative) {
    std::vector<std::string> parts;
    const auto add = [&parts](std::string_view path) {
        while (!path.empty()) {
            const auto end = std::min(path.find('/'), path.size());
            const auto part = path.substr(0, end);
            path.remove_prefix(std::min(end + 1, path.size()));
            if (part == "..") {
                if (parts.empty()) return false;
                parts.pop_back();
            } else if (!part.empty() && part != ".") {
                parts.emplace_back(part);
            }
        }
        return true;
    };
    const auto slash = from.rfind('/');
    if (!add(slash == std::string_view::npos ? std::string_view() : from.substr(0, slash)) || !add(relative))
        return std::nullopt;
    return fmt::format("{}", fmt::join(parts, "/"));
}

bool is_folder(const SourceTree& tree, const std::string& path) {
    if (path.empty()) return true;
    const auto first = tree.lower_bound(path + "/");
    return first != tree.end() && first->first.starts_with(path + "/");
}

// The file that a link of a page leads to; nothing where it leads to no file of this repository.
std::optional<std::string> file_behind(const std::string& from, const std::string& target) {
    if (leads_outside(target) || target.starts_with('/') || target.starts_with('#')) return std::nullopt;
    return resolved(from, target.substr(0, target.find('#')));
}

class Judge {
public:
    explicit Judge(const SourceTree& tree) : tree_(tree) {}

    [[nodiscard]] std::optional<std::string> objection(const std::string& from, const std::string& target) {
        if (target.starts_with('/'))
            return fmt::format("Link by a relative path: {} means the root of a disk.", target);
        const auto hash = std::min(target.find('#'), target.size());
        const auto path = hash == 0 ? std::optional(from) : resolved(from, target.substr(0, hash));
        if (!path) return fmt::format("Link to a file of this repository: {} leaves it.", target);
        if (!tree_.contains(*path) && !is_folder(tree_, *path))
            return fmt::format("Correct the link {}: there is no {}.", target, *path);
        if (hash == target.size() || !is_markdown(*path)) return std::nullopt;
        const auto anchor = target.substr(hash + 1);
        if (anchors_of(*path).contains(anchor)) return std::nullopt;
        return fmt::format("Correct the link {}: {} has no heading for #{}.", target, *path, anchor);
    }

private:
    const std::set<std::string>& anchors_of(const std::string& path) {
        const auto known = anchors_.find(path);
        return known != anchors_.end() ? known->second : anchors_[path] = anchors_in(tree_.at(path));
    }

    const SourceTree& tree_;
    std::map<std::string, std::set<std::string>> anchors_;
};

}  // namespace

std::vector<Link> links_in(std::string_view markdown) {
    static const std::regex inline_link(R"(\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\))");
    static const std::regex definition(R"(^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+))");
    std::vector<Link> links;
    for_each_line_of_prose(markdown, [&links](std::size_t number, std::string_view line) {
        const auto text = without_inline_code(line);
        for (std::sregex_iterator it(text.begin(), text.end(), inline_link), end; it != end; ++it)
            links.push_back({number, (*it)[1]});
        std::smatch match;
        if (std::regex_search(text, match, definition)) links.push_back({number, match[1]});
    });
    return links;
}

std::set<std::string> anchors_in(std::string_view markdown) {
    static const std::regex id(R"(<a (?:id|name)="([^"]+)\")");
    std::set<std::string> anchors;
    for_each_line_of_prose(markdown, [&anchors](std::size_t /*number*/, std::string_view line) {
        const std::string text(line);
        add_heading(text, anchors);
        for (std::sregex_iterator it(text.begin(), text.end(), id), end; it != end; ++it)
            anchors.insert((*it)[1]);
    });
    return anchors;
}

Findings broken_links(const SourceTree& tree) {
    Findings findings;
    Judge judge(tree);
    for (const auto& [path, text] : tree) {
        if (!is_markdown(path)) continue;
        for (const auto& [line, target] : links_in(text)) {
            if (leads_outside(target)) continue;
            if (auto what = judge.objection(path, target)) findings.push_back({path, line, std::move(*what)});
        }
    }
    return findings;
}

Findings unlisted_pages(const SourceTree& tree) {
    const std::string index = "docs/README.md";
    std::set<std::string> reached{index};
    std::vector<std::string> to_read{index};
    while (!to_read.empty()) {
        const auto page = std::move(to_read.back());
        to_read.pop_back();
        const auto text = tree.find(page);
        if (text == tree.end() || !is_markdown(page) || !page.starts_with("docs/")) continue;
        for (const auto& link : links_in(text->second)) {
            const auto file = file_behind(page, link.target);
            if (file && reached.insert(*file).second) to_read.push_back(*file);
        }
    }
    Findings findings;
    for (const auto& [path, text] : tree) {
        if (path.starts_with("docs/") && is_markdown(path) && !reached.contains(path))
            findings.push_back(
                {path, 1, "Add a line to docs/README.md, or link to it from a page that is listed there."});
    }
    return findings;
}

}  // namespace fencepost::tidy
