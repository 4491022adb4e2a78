// Splits a file of transactions into the requests that submit it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boost/json/array.hpp>

namespace fencepost::cli {

/// The server's limits for one request (http.maxBodySize may be configured lower).
constexpr std::size_t most_in_a_batch = 1000;
constexpr std::size_t most_bytes_in_a_batch = std::size_t{1024} * 1024;

/// A body of POST /tx/batch, and the number of its items.
struct Batch {
    std::size_t count = 0;
    std::string body;
};

/// All items, in order, in bodies within the server's limits. An item that exceeds the limit alone gets a body of its
/// own, so that its refusal affects no other item.
[[nodiscard]] std::vector<Batch> batches_of(const boost::json::array& items);

}  // namespace fencepost::cli
