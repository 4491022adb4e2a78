// Waits for a transaction by long polling.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "base/text/enum_names.hpp"
#include "cli/session.hpp"

namespace fencepost::cli {

enum class Until { mined, confirmed };
FP_ENUM_NAMES(Until, as_written, mined, confirmed)

enum class Progress {
    under_way,
    reached,
    went_wrong,  // it failed, was rejected or cancelled, or is in a block and reverted
};

/// The progress of a transaction towards `until`.
[[nodiscard]] Progress progress_of(const boost::json::value& transaction, Until until);

struct WaitFor {
    std::string id;
    Until until = Until::confirmed;
    Duration timeout{};
};

/// Prints the transaction when the wait is over. Survives an outage of the server, unless the server never answered.
[[nodiscard]] ExitCode wait_and_show(Session& session, const WaitFor& wait);

}  // namespace fencepost::cli
