// JSON in single quotes, to keep node answers readable in tests.
#pragma once

#include <algorithm>
#include <string>

#include <boost/json/parse.hpp>

#include "evm/json_values.hpp"

namespace fencepost::evm::test {

inline Json parse_json(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return boost::json::parse(text);
}

}  // namespace fencepost::evm::test
