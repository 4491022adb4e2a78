// Who asks, as far as the API knows: the name stands in the audit, the scopes and submitters say what may be asked.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text/enum_names.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost::api {

/// Each holds the one before it: who may administrate may write, and who may write may read.
enum class Scope { read, write, admin };
FP_ENUM_NAMES(Scope, as_written, read, write, admin)

struct Caller {
    std::string name;
    /// The name of its key alone; empty where there is none.
    std::string key{};
    Scope scope = Scope::read;
    /// The submitters it may ask for and about; none: all of them.
    std::optional<std::vector<SubmitterId>> submitters{};

    [[nodiscard]] bool may(Scope needed) const { return scope >= needed; }
    [[nodiscard]] bool may_use(const SubmitterId& submitter) const {
        return !submitters || std::ranges::find(*submitters, submitter) != submitters->end();
    }
};

}  // namespace fencepost::api
