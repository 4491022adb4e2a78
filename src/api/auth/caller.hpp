// The authenticated caller: its name for the audit log, its scope, and the submitters that it may use.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text/enum_names.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::api {

/// Each scope includes the one before it: admin includes write, and write includes read.
enum class Scope { read, write, admin };
FP_ENUM_NAMES(Scope, as_written, read, write, admin)

struct Caller {
    std::string name;
    /// The name of the API key alone; empty without a key.
    std::string key{};
    Scope scope = Scope::read;
    /// The submitters that the caller may use; none: all.
    std::optional<std::vector<SubmitterId>> submitters{};

    [[nodiscard]] bool may(Scope needed) const { return scope >= needed; }
    [[nodiscard]] bool may_use(const SubmitterId& submitter) const {
        return !submitters || std::ranges::find(*submitters, submitter) != submitters->end();
    }
};

}  // namespace fencepost::api
