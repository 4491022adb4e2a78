// A node's writes.
#include "sim/store/sim_store.hpp"

#include <utility>

#include "sim/store/sim_store_calls.hpp"

namespace fencepost::sim {

Task<Result<std::vector<AcceptAnswer>, StoreError>> SimStore::accept(std::vector<NewIntent> batch) {
    return ask<std::vector<AcceptAnswer>>(Effect::write,
                                          [batch = std::move(batch)](SimDatabase& database, CallPtr call) {
                                              return database.accept(std::move(call), batch);
                                          });
}

Task<Result<OpenAnswer, StoreError>> SimStore::open(SubmitterId submitter, NodeId node, Duration duration) {
    return ask<OpenAnswer>(Effect::write, [submitter = std::move(submitter), node = std::move(node), duration](
                                              SimDatabase& database, CallPtr call) {
        return database.open(std::move(call), submitter, node, duration);
    });
}

Task<Result<std::vector<LeaseResult>, StoreError>> SimStore::renew(std::vector<LeaseClaim> claims, Duration duration) {
    return ask<std::vector<LeaseResult>>(Effect::write,
                                         [claims = std::move(claims), duration](SimDatabase& database, CallPtr call) {
                                             return database.renew(std::move(call), claims, duration);
                                         });
}

Task<Status<StoreError>> SimStore::release(std::vector<LeaseClaim> claims) {
    return ask<void>(Effect::write, [claims = std::move(claims)](SimDatabase& database, CallPtr call) {
        return database.release(std::move(call), claims);
    });
}

Task<Result<std::vector<WriteAnswer>, StoreError>> SimStore::write(std::vector<LaneWrite> batch) {
    return ask<std::vector<WriteAnswer>>(Effect::write,
                                         [batch = std::move(batch)](SimDatabase& database, CallPtr call) {
                                             return database.write(std::move(call), batch);
                                         });
}

Task<Result<CommandSequence, StoreError>> SimStore::post(Command command) {
    return change<CommandSequence>([command = std::move(command)](Store& truth) { return truth.post(command); });
}

Task<Status<StoreError>> SimStore::record(ChainRef chain, std::vector<BlockRef> blocks) {
    return change<void>(
        [chain = std::move(chain), blocks = std::move(blocks)](Store& truth) { return truth.record(chain, blocks); });
}

Task<Status<StoreError>> SimStore::prune_below(ChainRef chain, BlockNumber number) {
    return change<void>([chain = std::move(chain), number](Store& truth) { return truth.prune_below(chain, number); });
}

Task<Status<StoreError>> SimStore::heartbeat(NodeId node, std::string address, NodeAbility ability) {
    return change<void>([node = std::move(node), address = std::move(address), ability = std::move(ability)](
                            Store& truth) { return truth.heartbeat(node, address, ability); });
}

Task<Status<StoreError>> SimStore::leave(NodeId node) {
    return change<void>([node = std::move(node)](Store& truth) { return truth.leave(node); });
}

}  // namespace fencepost::sim
