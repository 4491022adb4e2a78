// Private to src/jsonrpc: encodes calls as the text of a request, and decodes the text of a response into one answer
// per call. No sockets, so tests can feed any text that a server might send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jsonrpc/json_rpc.hpp"

namespace fencepost::jsonrpc {

/// The calls of one HTTP request have consecutive ids.
struct IdRange {
    std::uint64_t first = 1;
    std::size_t count = 1;
};

/// A batch of one is sent as a single object: not every server accepts arrays.
[[nodiscard]] std::string encode_calls(std::span<const Request> calls, std::uint64_t first_id);

/// Exactly one answer per id, in the order of the ids, whatever the text is. A call without an answer, or with two,
/// becomes `malformed`; answers with other ids are ignored; an error in place of a whole batch answers each of its
/// calls. `secrets` are removed from failures that quote the text.
[[nodiscard]] std::vector<Answer> match_answers(std::string_view text, IdRange ids, std::size_t max_depth,
                                                const std::vector<std::string>& secrets);

[[nodiscard]] std::vector<Answer> same_failure(const Failure& failure, std::size_t count);

}  // namespace fencepost::jsonrpc
