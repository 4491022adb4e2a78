// Formats transactions for the terminal.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "cli/paint.hpp"

namespace fencepost::cli {

/// "TRACKING / MINED".
[[nodiscard]] std::string state_text(const boost::json::value& transaction);

/// All properties of one transaction.
[[nodiscard]] std::string show_transaction(const boost::json::value& transaction, const Paint& paint);

/// Each of these takes a response with "items".
[[nodiscard]] std::string show_transactions(const boost::json::value& answer, const Paint& paint);
[[nodiscard]] std::string show_batch(const boost::json::value& answer, const Paint& paint);
[[nodiscard]] std::string show_history(const boost::json::value& answer, const Paint& paint);
[[nodiscard]] std::string show_attempts(const boost::json::value& answer, const Paint& paint);
[[nodiscard]] std::string show_confirmations(const boost::json::value& answer, const Paint& paint);

[[nodiscard]] std::string show_diagnosis(const boost::json::value& diagnosis, const Paint& paint);
/// The response to cancel, pause and similar commands.
[[nodiscard]] std::string show_command(const boost::json::value& command, const Paint& paint);

}  // namespace fencepost::cli
