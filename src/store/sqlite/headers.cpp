// The shared tree of block headers on SQLite.
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

void insert_header(Database& database, const ChainRef& chain, const BlockRef& block) {
    database.run(R"sql(
INSERT INTO chain_block (chain, number, hash, parent_hash, created_at)
VALUES (:chain, :number, :hash, :parent, fencepost_now())
ON CONFLICT DO NOTHING
)sql",
                 chain, block.number, block.hash, block.parent);
}

std::vector<BlockRef> headers_between(Database& database, const ChainRef& chain, BlockNumber first, BlockNumber last) {
    std::vector<BlockRef> blocks;
    Query row(database, R"sql(
SELECT number, hash, parent_hash
FROM chain_block
WHERE chain = :chain AND number BETWEEN :first AND :last
ORDER BY number, hash
)sql",
              chain, bound(first), bound(last));
    while (row.step())
        blocks.push_back({row.get<BlockNumber>(0), row.get<BlockHash>(1), row.get<BlockHash>(2)});
    return blocks;
}

}  // namespace

Task<Status<StoreError>> SqliteStore::record(ChainRef chain, std::vector<BlockRef> blocks) {
    return engine_->write([chain = std::move(chain), blocks = std::move(blocks)](Database& database) {
        for (const auto& block : blocks)
            insert_header(database, chain, block);
    });
}

Task<Result<std::vector<BlockRef>, StoreError>> SqliteStore::between(ChainRef chain, BlockNumber first,
                                                                     BlockNumber last) {
    return engine_->read([chain = std::move(chain), first, last](Database& database) {
        return headers_between(database, chain, first, last);
    });
}

Task<Status<StoreError>> SqliteStore::prune_below(ChainRef chain, BlockNumber number) {
    return engine_->write([chain = std::move(chain), number](Database& database) {
        database.run("DELETE FROM chain_block WHERE chain = :chain AND number < :number", chain, bound(number));
    });
}

}  // namespace fencepost::store
