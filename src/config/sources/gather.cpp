#include "config/sources/gather.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "config/sources/flags.hpp"
#include "config/sources/variables.hpp"

namespace fencepost::config {
namespace {

void append(Problems& problems, Problems more) {
    problems.insert(problems.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Reports a path that is set twice by the same source, because it is unclear which one is meant.
void refuse_twice(const Settings& settings, Problems& problems) {
    std::map<std::string, const Setting*> seen;
    for (const auto& setting : settings) {
        const auto [first, is_new] = seen.emplace(setting.path, &setting);
        if (is_new) continue;
        problems.push_back(
            problem_with(setting, fmt::format("is set twice, first at {}", first->second->place.to_string())));
    }
}

void expand_all(Settings& settings, const Environment& environment, std::set<std::string>& used, Problems& problems) {
    for (auto& setting : settings) {
        for (auto& item : setting.items) {
            auto expanded = expand(item, environment, used);
            if (expanded) {
                item = *std::move(expanded);
            } else {
                problems.push_back(problem_with(setting, expanded.error()));
            }
        }
    }
}

void override_with(Settings& settings, const Settings& stronger) {
    for (const auto& setting : stronger) {
        const auto found = std::ranges::find(settings, setting.path, &Setting::path);
        if (found != settings.end()) {
            *found = setting;
        } else {
            settings.push_back(setting);
        }
    }
}

}  // namespace

Gathered gather(const Sources& sources) {
    Gathered gathered;
    std::set<std::string> used;
    if (sources.file) {
        auto file = read_yaml(*sources.file);
        gathered.is_whole = file.is_whole;
        gathered.settings = std::move(file.settings);
        append(gathered.problems, std::move(file.problems));
        refuse_twice(gathered.settings, gathered.problems);
        expand_all(gathered.settings, sources.environment, used, gathered.problems);
    }
    auto flags = read_flags(sources.arguments);
    refuse_twice(flags.settings, flags.problems);

    auto known = gathered.settings;
    override_with(known, flags.settings);
    auto variables = read_variables(sources.environment, known, used);

    override_with(gathered.settings, variables.settings);
    override_with(gathered.settings, flags.settings);
    append(gathered.problems, std::move(variables.problems));
    append(gathered.problems, std::move(flags.problems));
    return gathered;
}

}  // namespace fencepost::config
