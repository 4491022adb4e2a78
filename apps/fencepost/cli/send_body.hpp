// From what stands on the command line to the body of a request, without a server: what cannot be right is refused
// before anything is sent.
#pragma once

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/result.hpp"

namespace fencepost::cli {

/// What a transaction is to be, as a person writes it; empty: not said.
struct Wanted {
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

    friend bool operator==(const Wanted&, const Wanted&) = default;
};

/// The error is a sentence for whoever wrote it.
[[nodiscard]] Result<boost::json::object, std::string> body_of(const Wanted& wanted, const std::string& request_id);

/// An argument of a call: text, unless it is true or false, or written as JSON: an array, an object, a string in
/// quotes.
[[nodiscard]] Result<boost::json::value, std::string> argument_of(const std::string& text);

/// The items of a batch: an array, or an object with "items".
[[nodiscard]] Result<boost::json::array, std::string> items_of(std::string_view text);

}  // namespace fencepost::cli
