// A finding of fencepost doctor, and what to do about it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/text/enum_names.hpp"
#include "cli/paint.hpp"

namespace fencepost::doctor {

enum class Verdict {
    good,
    doubtful,  // it works, but the operator should look
    broken,
};
FP_ENUM_NAMES(Verdict, as_written, good, doubtful, broken)

struct Finding {
    Verdict verdict = Verdict::good;
    std::string subject;  // "database", "chain main, endpoint a"
    std::string what;     // without a full stop
    std::string to_do{};  // empty when good
};

using Findings = std::vector<Finding>;

[[nodiscard]] Finding good(std::string subject, std::string what);
[[nodiscard]] Finding doubtful(std::string subject, std::string what, std::string to_do);
[[nodiscard]] Finding broken(std::string subject, std::string what, std::string to_do);

[[nodiscard]] bool any_broken(std::span<const Finding> findings);

/// One line, and another one for what to do.
[[nodiscard]] std::string to_text(const Finding& finding, const cli::Paint& paint);
/// The number of findings of each kind, in one line.
[[nodiscard]] std::string summary_of(std::span<const Finding> findings);
/// One JSON document.
[[nodiscard]] std::string to_json(std::span<const Finding> findings);

}  // namespace fencepost::doctor
