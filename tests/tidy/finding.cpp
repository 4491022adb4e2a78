#include "finding.hpp"

#include <fmt/format.h>

namespace fencepost::tidy {

std::string report(const Findings& findings) {
    std::string text;
    for (const auto& [path, line, what] : findings)
        text += fmt::format("\n{}:{}: {}", path, line, what);
    return text;
}

testing::AssertionResult clean(const Findings& findings) {
    if (findings.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << report(findings);
}

std::vector<std::string> places(const Findings& findings) {
    std::vector<std::string> result;
    for (const auto& [path, line, what] : findings)
        result.push_back(fmt::format("{}:{}", path, line));
    return result;
}

}  // namespace fencepost::tidy
