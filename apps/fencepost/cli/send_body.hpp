// Builds the body of a request from the command line, without a server: invalid input is rejected before anything is
// sent.
#pragma once

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/result.hpp"

namespace fencepost::cli {

/// A transaction as given on the command line; empty: not given.
struct RequestedTx {
    std::string from{};
    std::string to{};
    bool deploy = false;
    std::string value{};
    std::string data{};  // 0x…, or @FILE
    std::string call{};
    std::vector<std::string> arguments{};
    std::string gas{};
    std::string speed{};
    std::string max_fee{};
    std::string max_priority_fee{};
    std::string gas_price{};
    std::string valid_until{};

    friend bool operator==(const RequestedTx&, const RequestedTx&) = default;
};

/// The error is a sentence for the user.
[[nodiscard]] Result<boost::json::object, std::string> body_of(const RequestedTx& wanted,
                                                               const std::string& request_id);

/// An argument of a contract call. It is text, unless it is true or false, or JSON: an array, an object, a quoted
/// string.
[[nodiscard]] Result<boost::json::value, std::string> argument_of(const std::string& text);

/// The items of a batch: an array, or an object with "items".
[[nodiscard]] Result<boost::json::array, std::string> items_of(std::string_view text);

}  // namespace fencepost::cli
