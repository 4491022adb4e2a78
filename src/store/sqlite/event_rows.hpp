// Rows of the event table: public events, numbered per transaction and never folded, and history steps, folded while
// they repeat.
#pragma once

#include <optional>

#include "domain/lease.hpp"
#include "domain/tx/history.hpp"
#include "domain/tx/tx_event.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"

namespace fencepost::store::sqlite {

/// `fence` is the write's; empty for changes without one.
void append_event(Database& database, const TxEvent& event, const std::optional<Fence>& fence);
void append_step(Database& database, const TxId& tx, const HistoryStep& step, const Fence& fence);

}  // namespace fencepost::store::sqlite
