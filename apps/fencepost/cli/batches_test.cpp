#include "cli/batches.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

std::vector<std::size_t> counts_of(const std::vector<Batch>& batches) {
    std::vector<std::size_t> counts;
    for (const auto& batch : batches) {
        counts.push_back(batch.count);
        EXPECT_EQ(boost::json::parse(batch.body).at("items").as_array().size(), batch.count);
    }
    return counts;
}

/// An item that takes so many bytes.
boost::json::value item_of(std::size_t bytes) { return boost::json::string(bytes - 2, 'x'); }

using Counts = std::vector<std::size_t>;

TEST(Batches, HaveAtMost1000Items) {
    EXPECT_EQ(counts_of(batches_of(boost::json::array(1000, 7))), Counts({1000}));
    EXPECT_EQ(counts_of(batches_of(boost::json::array(2001, 7))), Counts({1000, 1000, 1}));
}

TEST(Batches, StayBelowTheServersBodyLimit) {
    constexpr std::size_t size = 2000;
    const auto batches = batches_of(boost::json::array(1000, item_of(size)));
    EXPECT_EQ(counts_of(batches), Counts({524, 476}));
    EXPECT_LE(batches.front().body.size(), most_bytes_in_a_batch);
    EXPECT_GT(batches.front().body.size() + size + 1, most_bytes_in_a_batch) << "another one would not go in";
}

TEST(Batches, FillABatchToExactlyTheLimit) {
    constexpr std::size_t around = 13;  // {"items":[,]}
    const auto full = batches_of({item_of(1000), item_of(most_bytes_in_a_batch - around - 1000)});
    EXPECT_EQ(counts_of(full), Counts({2}));
    EXPECT_EQ(full.front().body.size(), most_bytes_in_a_batch);
    EXPECT_EQ(counts_of(batches_of({item_of(1001), item_of(most_bytes_in_a_batch - around - 1000)})), Counts({1, 1}));
}

TEST(Batches, PutAnOversizedItemAlone) {
    EXPECT_EQ(counts_of(batches_of({7, item_of(2 * most_bytes_in_a_batch), 7, 7})), Counts({1, 1, 2}));
}

TEST(Batches, KeepItemsUnchangedAndInOrder) {
    EXPECT_EQ(batches_of(boost::json::parse(R"([{"a":1},{"b":2}])").as_array()).front().body,
              R"({"items":[{"a":1},{"b":2}]})");
}

}  // namespace
}  // namespace fencepost::cli
