// The shared tree of block headers on PostgreSQL.
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Statement;

// Sorted: several nodes record the same headers concurrently, and unsorted batches deadlock.
constexpr Statement record_blocks{"headers_record", R"sql(
INSERT INTO chain_block (chain, number, hash, parent_hash)
SELECT $1, i.number, i.hash, i.parent_hash
FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS i (number, hash, parent_hash)
ORDER BY i.number, i.hash
ON CONFLICT DO NOTHING
)sql"};

constexpr Statement read_blocks{"headers_between", R"sql(
SELECT number, hash, parent_hash
FROM chain_block
WHERE chain = $1 AND number BETWEEN $2 AND $3
ORDER BY number, hash
)sql"};

constexpr Statement prune_blocks{"headers_prune", R"sql(
DELETE FROM chain_block
WHERE chain = $1 AND number < $2
)sql"};

}  // namespace

Task<Status<StoreError>> PostgresStore::record(ChainRef chain, std::vector<BlockRef> blocks) {
    std::vector<std::optional<std::int64_t>> numbers;
    std::vector<std::optional<Bytes>> hashes;
    std::vector<std::optional<Bytes>> parents;
    for (const auto& block : blocks) {
        numbers.emplace_back(static_cast<std::int64_t>(block.number.value()));
        hashes.emplace_back(to_bytes(block.hash.view()));
        parents.emplace_back(to_bytes(block.parent.view()));
    }
    const auto rows =
        co_await run(Query{&record_blocks, Params().add(chain.to_string()).add(numbers).add(hashes).add(parents)});
    if (!rows) co_return err(rows.error());
    co_return Status<StoreError>{};
}

Task<Result<std::vector<BlockRef>, StoreError>> PostgresStore::between(ChainRef chain, BlockNumber first,
                                                                       BlockNumber last) {
    const auto rows = co_await run(Query{&read_blocks, Params()
                                                           .add(chain.to_string())
                                                           .add(static_cast<std::int64_t>(first.value()))
                                                           .add(static_cast<std::int64_t>(last.value()))});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return BlockRef{BlockNumber(unsigned_at(*rows, row, 0)), fixed_at<BlockHash>(*rows, row, 1),
                        fixed_at<BlockHash>(*rows, row, 2)};
    });
}

Task<Status<StoreError>> PostgresStore::prune_below(ChainRef chain, BlockNumber number) {
    const auto rows = co_await run(
        Query{&prune_blocks, Params().add(chain.to_string()).add(static_cast<std::int64_t>(number.value()))});
    if (!rows) co_return err(rows.error());
    co_return Status<StoreError>{};
}

}  // namespace fencepost::store
