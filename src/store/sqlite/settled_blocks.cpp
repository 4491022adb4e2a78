// Maintains and reads one row per block with settled transactions.
#include "store/sqlite/settled_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "store/lane_rules.hpp"

namespace fencepost::store::sqlite {
namespace {

struct SettledPlace {
    Nonce nonce;
    std::optional<BlockNumber> number;
    Bytes hash;
};

// A verdict without a block needs no watching, unless a reorg removed the block.
std::optional<SettledPlace> find_settled_place(Database& database, const TxId& tx) {
    Query row(database, R"sql(
SELECT nonce,
       CASE WHEN sub_state <> 'FORKED' THEN receipt_block_number END,
       CASE WHEN sub_state <> 'FORKED' THEN receipt_block_hash ELSE x'' END
FROM managed_tx
WHERE tx_id = :tx AND nonce IS NOT NULL AND (receipt_block_hash IS NOT NULL OR sub_state = 'FORKED')
)sql",
              tx);
    if (!row.step()) return std::nullopt;
    return SettledPlace{row.get<Nonce>(0), row.get<std::optional<BlockNumber>>(1), row.get<Bytes>(2)};
}

void put_settled_block(Database& database, const HeldFence& held, const SettledPlace& first, Nonce last) {
    database.run(R"sql(
INSERT INTO settled_block (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
VALUES (:submitter, :first, :last, :number, :hash, :token)
ON CONFLICT (submitter, first_nonce, block_hash) DO UPDATE
SET last_nonce = max(last_nonce, excluded.last_nonce), fencing_token = excluded.fencing_token
)sql",
                 held.submitter, first.nonce, last, first.number, first.hash, held.fence.token);
}

}  // namespace

void note_settled_blocks(Database& database, const HeldFence& held, const std::vector<TxUpdate>& updates) {
    std::map<Bytes, std::pair<SettledPlace, Nonce>> blocks;  // with the last nonce
    for (const auto& update : updates) {
        if (!moves_settled(update)) continue;
        const auto place = find_settled_place(database, update.tx);
        if (place && !place->number) put_settled_block(database, held, *place, place->nonce);
        if (!place || !place->number) continue;
        auto& [first, last] = blocks.try_emplace(place->hash, *place, place->nonce).first->second;
        first.nonce = std::min(first.nonce, place->nonce);
        last = std::max(last, place->nonce);
    }
    for (const auto& [hash, block] : blocks)
        put_settled_block(database, held, block.first, block.second);
}

void forget_settled_blocks(Database& database, const HeldFence& held, Nonce below) {
    database.run(R"sql(
DELETE FROM settled_block
WHERE submitter = :submitter AND first_nonce < :below AND last_nonce < :below
)sql",
                 held.submitter, below);
}

std::vector<SettledBlock> settled_blocks(Database& database, const SubmitterId& submitter, Nonce from) {
    std::vector<SettledBlock> blocks;
    Query row(database, R"sql(
WITH watched AS MATERIALIZED (
    SELECT max(first_nonce, :from) AS first_nonce, last_nonce, block_number, block_hash
    FROM settled_block
    WHERE submitter = :submitter AND last_nonce >= :from
), removed AS MATERIALIZED (
    SELECT first_nonce AS nonce FROM watched WHERE block_number IS NULL
), left_by_some AS MATERIALIZED (
    SELECT w.*
    FROM watched w
    WHERE w.block_number IS NOT NULL
      AND EXISTS (SELECT 1 FROM removed r WHERE r.nonce BETWEEN w.first_nonce AND w.last_nonce)
), block AS (
    SELECT w.block_number, w.block_hash, w.first_nonce, w.last_nonce
    FROM watched w
    WHERE w.block_number IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM removed r WHERE r.nonce BETWEEN w.first_nonce AND w.last_nonce)
    UNION ALL
    SELECT l.block_number, l.block_hash, n.nonce, n.nonce
    FROM left_by_some l
    JOIN nonce_assignment n ON n.submitter = :submitter AND n.nonce BETWEEN l.first_nonce AND l.last_nonce
    JOIN managed_tx t ON t.tx_id = n.tx_id
    WHERE t.done AND t.sub_state <> 'FORKED' AND t.receipt_block_hash = l.block_hash
)
SELECT block_number, block_hash, min(first_nonce), max(last_nonce)
FROM block
GROUP BY block_number, block_hash
ORDER BY block_number
)sql",
              from, submitter);
    while (row.step()) {
        blocks.push_back({.number = row.get<BlockNumber>(0),
                          .hash = row.get<BlockHash>(1),
                          .first = row.get<Nonce>(2),
                          .last = row.get<Nonce>(3)});
    }
    return blocks;
}

std::vector<TxId> removed_settled(Database& database, const SubmitterId& submitter, Nonce from) {
    std::vector<TxId> ids;
    Query row(database, R"sql(
SELECT t.tx_id
FROM settled_block b
JOIN nonce_assignment n ON n.submitter = b.submitter AND n.nonce = b.first_nonce
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE b.submitter = :submitter AND b.first_nonce >= :from AND b.block_number IS NULL
  AND t.done AND t.sub_state = 'FORKED'
)sql",
              submitter, from);
    while (row.step())
        ids.push_back(row.get<TxId>(0));
    return ids;
}

}  // namespace fencepost::store::sqlite
