// A file of transactions as the requests that it takes to send them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boost/json/array.hpp>

namespace fencepost::cli {

/// What a server takes at once (http.maxBodySize, where nobody has set it lower).
constexpr std::size_t most_in_a_batch = 1000;
constexpr std::size_t most_bytes_in_a_batch = std::size_t{1024} * 1024;

/// A body of POST /tx/batch, and how many items are in it.
struct Batch {
    std::size_t count = 0;
    std::string body;
};

/// All items, in order, in bodies that a server takes. Only an item that is too large by itself makes a body that is,
/// too: it stands alone, so that its refusal is about nothing else.
[[nodiscard]] std::vector<Batch> batches_of(const boost::json::array& items);

}  // namespace fencepost::cli
