#include "fenced_sql.hpp"

#include <regex>

#include <fmt/format.h>

namespace fencepost::tidy {
namespace {

constexpr const char* document_path = "docs/internals/critical-writes.md";

const std::regex& write_statement() {
    static const std::regex pattern(
        R"re(\b(INSERT\s+(?:OR\s+[A-Z]+\s+)?INTO|UPDATE(?:\s+OR\s+[A-Z]+)?|DELETE\s+FROM|TRUNCATE|COPY)\s+)re"
        R"re((?:ONLY\s+)?(submitter_(?:lease|status|tally|nonce_cursor|nonce_state|nonce_allocation|command))re"
        R"re(|settled_block|managed_tx|tx_intent|tx_attempt|tx_claimed_send|tx_event|nonce_assignment)\b)re",
        std::regex::icase);
    return pattern;
}

bool is_checked(const std::string& path) {
    return (path.starts_with("src/") || path.starts_with("apps/")) && is_cpp(path) && !is_test(path);
}

}  // namespace

SqlWrites sql_writes(const SourceTree& tree) {
    SqlWrites writes;
    for (const auto& [path, text] : tree) {
        if (!is_checked(path)) continue;
        for (std::sregex_iterator it(text.begin(), text.end(), write_statement()), end; it != end; ++it) {
            writes.insert({path, (*it)[2]});
        }
    }
    return writes;
}

SqlWrites documented_writes(const std::string& document) {
    static const std::regex row(R"re(\| `([^`]+)` \| `([^`]+)` \|)re");
    SqlWrites writes;
    for (std::sregex_iterator it(document.begin(), document.end(), row), end; it != end; ++it) {
        writes.insert({(*it)[1], (*it)[2]});
    }
    return writes;
}

Findings undocumented_writes(const SourceTree& tree) {
    const auto written = sql_writes(tree);
    const auto document = tree.find(document_path);
    const auto documented = document == tree.end() ? SqlWrites{} : documented_writes(document->second);
    Findings findings;
    for (const auto& [path, table] : written) {
        if (documented.contains({path, table})) continue;
        findings.push_back({path, 1,
                            fmt::format("It writes {}, a table of submitter state. Write through the fenced port; if "
                                        "this is part of it, say why in {}.",
                                        table, document_path)});
    }
    for (const auto& [path, table] : documented) {
        if (written.contains({path, table})) continue;
        findings.push_back({document_path, 1, fmt::format("{} no longer writes {}: remove the line.", path, table)});
    }
    return findings;
}

}  // namespace fencepost::tidy
