// Formats submitters, chains and nodes for the terminal.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "cli/paint.hpp"

namespace fencepost::cli {

[[nodiscard]] std::string show_submitter(const boost::json::value& submitter, const Paint& paint);
[[nodiscard]] std::string show_submitters(const boost::json::value& answer, const Paint& paint);
[[nodiscard]] std::string show_chains(const boost::json::value& answer, const Paint& paint);
[[nodiscard]] std::string show_cluster(const boost::json::value& answer, const Paint& paint);

}  // namespace fencepost::cli
