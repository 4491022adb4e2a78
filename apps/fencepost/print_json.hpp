// What commands print with --json: one document, in a line.
#pragma once

#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace fencepost {

inline void print_json(const boost::json::value& document) { fmt::print("{}\n", boost::json::serialize(document)); }

/// A whole list, in the form of the API's.
inline void print_json_list(boost::json::array items) {
    print_json(boost::json::object{{"items", std::move(items)}, {"next", nullptr}});
}

}  // namespace fencepost
