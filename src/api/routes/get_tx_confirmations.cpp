// GET /api/v1/tx/{txId}/confirmations: the blocks above a transaction's block. For a settled transaction, the blocks
// stored with the verdict; before that, the blocks that the nodes have seen. With after=, only the blocks after that
// one, or the whole list when a fork has replaced the caller's list.
#include "api/json/json_output.hpp"
#include "api/query/block_list.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"
#include "base/text/hex.hpp"

namespace fencepost::api::routes {
namespace {

Task<Result<std::vector<BlockRef>, StoreError>> confirmations(Service* service, TxView tx, std::uint64_t required) {
    if (is_final(tx.position.state)) co_return co_await service->dependencies.queries.stored_confirmations(tx.id);
    if (!tx.receipt) co_return std::vector<BlockRef>{};
    const auto first = tx.receipt->block_number.next();
    const auto seen = co_await service->dependencies.headers.between(tx.submitter.chain(), first, first.plus(required));
    if (!seen) co_return err(seen.error());
    co_return longest_branch(tx.receipt->block_hash, *seen, required);
}

OrProblem<std::optional<BlockHash>> read_seen_block(const http::Request& request) {
    const auto query = read_query(request, {"after"});
    if (!query) return err(query.error());
    const auto text = query->find("after");
    if (!text) return std::nullopt;
    const auto bytes = from_hex(*text);
    const auto hash = bytes ? BlockHash::from(*bytes) : std::nullopt;
    if (!hash || to_hex_prefixed(hash->view()) != *text) {
        return err(wrong_field("after", "must be the hash of a block: 0x and 64 hex digits in lower case"));
    }
    return hash;
}

Task<http::Response> answer_get_tx_confirmations(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    const auto seen = read_seen_block(request);
    if (!seen) co_return seen.error();
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    const auto required = service->dependencies.submitters.required_confirmations(tx->submitter);
    auto blocks = co_await confirmations(service, *tx, required);
    if (!blocks) co_return store_problem(blocks.error());
    co_return json_response(
        confirmations_json(blocks_since(*seen, *std::move(blocks)), required, is_final(tx->position.state)));
}

}  // namespace

http::Route get_tx_confirmations(Service& service) {
    return {http::Method::get, "/api/v1/tx/{txId}/confirmations", handled_by(service, answer_get_tx_confirmations)};
}

}  // namespace fencepost::api::routes
