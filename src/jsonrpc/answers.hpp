// Private to src/jsonrpc: from calls to the text of a request, and from the text of a response to an answer for each
// call. No socket here, so that every text a server might send can be tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jsonrpc/json_rpc.hpp"

namespace fencepost::jsonrpc {

/// The calls of one HTTP request have ids that follow one another.
struct IdRange {
    std::uint64_t first = 1;
    std::size_t count = 1;
};

/// A batch of one is sent as a single object: not every server takes arrays.
[[nodiscard]] std::string encode_calls(std::span<const Request> calls, std::uint64_t first_id);

/// Exactly one answer per id, in the order of the ids, whatever the text is. A call that was not answered, or twice, is
/// malformed; answers to others are passed over; an error in place of a whole batch is the answer to each of its calls.
/// `secrets` are kept out of failures that quote the text.
[[nodiscard]] std::vector<Answer> match_answers(std::string_view text, IdRange ids, std::size_t max_depth,
                                                const std::vector<std::string>& secrets);

[[nodiscard]] std::vector<Answer> same_failure(const Failure& failure, std::size_t count);

}  // namespace fencepost::jsonrpc
