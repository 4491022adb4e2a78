// GET /api/v1/tx/{txId}/confirmations: the blocks above the one that a transaction is in. Of a settled one, those that
// were kept with its verdict; before that, what the nodes have seen of the chain.
#include "api/block_list.hpp"
#include "api/json_output.hpp"
#include "api/questions.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<Result<std::vector<BlockRef>, StoreError>> confirmations(Service* service, TxView tx, std::uint64_t required) {
    if (is_final(tx.position.state)) co_return co_await service->parts.queries.kept_confirmations(tx.id);
    if (!tx.receipt) co_return std::vector<BlockRef>{};
    const auto first = tx.receipt->block_number.next();
    const auto seen = co_await service->parts.headers.between(tx.submitter.chain(), first, first.plus(required));
    if (!seen) co_return err(seen.error());
    co_return longest_branch(tx.receipt->block_hash, *seen, required);
}

Task<http::Response> answer(Service* service, http::Request request) {
    const auto caller = service->parts.gate.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    const auto required = service->parts.submitters.required_confirmations(tx->submitter);
    const auto blocks = co_await confirmations(service, *tx, required);
    if (!blocks) co_return store_problem(blocks.error());
    co_return json_response(confirmations_json(*blocks, required, is_final(tx->position.state)));
}

}  // namespace

http::Route get_tx_confirmations(Service& service) {
    return {http::Method::get, "/api/v1/tx/{txId}/confirmations", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
