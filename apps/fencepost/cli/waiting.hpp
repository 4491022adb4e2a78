// Waiting for a transaction, by asking the server to answer only when there is something to say.
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

/// Where a transaction stands for somebody who waits.
[[nodiscard]] Progress progress_of(const boost::json::value& transaction, Until until);

struct WaitFor {
    std::string id;
    Until until = Until::confirmed;
    Duration timeout{};
};

/// Shows the transaction when the wait is over. The server may go away meanwhile and come back; one that was never
/// there is not waited for.
[[nodiscard]] ExitCode wait_and_show(Session& session, const WaitFor& wait);

}  // namespace fencepost::cli
