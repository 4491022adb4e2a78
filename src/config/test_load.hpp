// Test helpers: load a configuration from a text, and list its problems line by line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "config/load.hpp"

namespace fencepost::config {

struct Given {
    std::string file{};
    Environment environment{};
    std::vector<std::string> arguments{};
};

inline Result<Loaded, Problems> load(const Given& given) {
    return load(Sources{.file = ConfigFile{.name = "f.yaml", .text = given.file},
                        .environment = given.environment,
                        .arguments = given.arguments});
}

inline std::vector<std::string> problems_of(const Given& given) {
    const auto loaded = load(given);
    if (loaded) return {};
    std::vector<std::string> lines;
    for (const auto& problem : loaded.error())
        lines.push_back(problem.to_string());
    return lines;
}

/// A valid configuration; the test fails when it is not valid.
inline Config config_of(const Given& given) {
    auto loaded = load(given);
    if (loaded) return std::move(loaded->config);
    for (const auto& problem : loaded.error())
        ADD_FAILURE() << problem.to_string();
    return {};
}

}  // namespace fencepost::config
