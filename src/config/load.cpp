#include "config/load.hpp"

#include <utility>

#include <fmt/format.h>

#include "config/assemble.hpp"
#include "config/keys/rules.hpp"

namespace fencepost::config {
namespace {

/// More problems would not help the reader.
constexpr std::size_t most_problems = 50;

Problems truncated(Problems problems) {
    if (problems.size() <= most_problems) return problems;
    const auto more = problems.size() - most_problems;
    problems.resize(most_problems);
    problems.push_back({.where = {}, .what = fmt::format("and {} more", more)});
    return problems;
}

}  // namespace

Result<Loaded, Problems> load(const Sources& sources) {
    auto gathered = gather(sources);
    auto problems = std::move(gathered.problems);
    if (!gathered.is_whole) return err(truncated(std::move(problems)));
    auto config = assemble(gathered.settings, problems);
    // If a value could not be read, a rule would check its default instead.
    if (problems.empty()) check_rules(config, gathered.settings, problems);
    if (!problems.empty()) return err(truncated(std::move(problems)));
    return Loaded{.config = std::move(config), .settings = std::move(gathered.settings)};
}

}  // namespace fencepost::config
