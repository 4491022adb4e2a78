// Parses Prometheus text format (version 0.0.4) as a collector does, and fails on anything that one would reject.
#pragma once

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fencepost::telemetry::test {

struct Exposition {
    std::map<std::string, std::string> help;
    std::map<std::string, std::string> types;
    std::map<std::string, double> samples;  // by name and labels as written: x{result="hit"}
};

/// The family of a sample: samples of a histogram have suffixes.
inline std::string family_of(const Exposition& read, const std::string& name) {
    for (const std::string ending : {"_bucket", "_sum", "_count"}) {
        if (!name.ends_with(ending)) continue;
        const auto family = name.substr(0, name.size() - ending.size());
        if (const auto found = read.types.find(family); found != read.types.end() && found->second == "histogram")
            return family;
    }
    return name;
}

inline void read_comment(Exposition& read, const std::string& line) {
    static const std::regex comment(R"(# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+))");
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, comment)) << line;
    auto& told = match[1] == "HELP" ? read.help : read.types;
    EXPECT_TRUE(told.emplace(match[2], match[3]).second) << "declared twice: " << line;
}

inline void read_sample(Exposition& read, const std::string& line) {
    static const std::regex sample(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)((?:\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"\})?) ([0-9.e+-]+|\+Inf|NaN))re");
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, sample)) << line;
    EXPECT_TRUE(read.types.contains(family_of(read, match[1]))) << "its TYPE line is missing: " << line;
    EXPECT_TRUE(read.help.contains(family_of(read, match[1]))) << "its HELP line is missing: " << line;
    EXPECT_TRUE(read.samples.emplace(match[1].str() + match[2].str(), std::stod(match[3])).second)
        << "there twice: " << line;
}

inline Exposition read_exposition(const std::string& text) {
    EXPECT_TRUE(text.ends_with('\n'));
    Exposition read;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) {
            read_comment(read, line);
        } else {
            read_sample(read, line);
        }
    }
    return read;
}

}  // namespace fencepost::telemetry::test
