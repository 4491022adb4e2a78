#include "cli/batches.hpp"

#include <string_view>

#include <boost/json/serialize.hpp>

namespace fencepost::cli {
namespace {

constexpr std::string_view before_items = R"({"items":[)";
constexpr std::string_view after_items = "]}";

bool has_room(const Batch& batch, const std::string& item) {
    const auto with_it = batch.body.size() + std::string_view(",").size() + item.size() + after_items.size();
    return batch.count < most_in_a_batch && with_it <= most_bytes_in_a_batch;
}

}  // namespace

std::vector<Batch> batches_of(const boost::json::array& items) {
    std::vector<Batch> batches;
    for (const auto& value : items) {
        const auto item = boost::json::serialize(value);
        const bool fits = !batches.empty() && has_room(batches.back(), item);
        if (!fits) batches.push_back({.body = std::string(before_items)});
        auto& batch = batches.back();
        batch.body += fits ? "," + item : item;
        ++batch.count;
    }
    for (auto& batch : batches)
        batch.body += after_items;
    return batches;
}

}  // namespace fencepost::cli
