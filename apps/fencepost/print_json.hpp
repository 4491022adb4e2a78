// Output of commands with --json: one document on one line.
#pragma once

#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace fencepost {

inline void print_json(const boost::json::value& document) { fmt::print("{}\n", boost::json::serialize(document)); }

/// A whole list, in the same form as the API's.
inline void print_json_list(boost::json::array items) {
    print_json(boost::json::object{{"items", std::move(items)}, {"next", nullptr}});
}

}  // namespace fencepost
