#include "cli/order.hpp"

#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace fencepost::cli {

ApiCall order(std::vector<std::string> path, const std::string& reason) {
    boost::json::object body;
    if (!reason.empty()) body.emplace("reason", reason);
    return {.path = std::move(path), .body = boost::json::serialize(body)};
}

void add_reason(CLI::App& command, std::string& reason) {
    command.add_option("--reason", reason, "The reason, recorded in the history")->type_name("TEXT");
}

}  // namespace fencepost::cli
