// The complete store: PostgreSQL for clusters, SQLite for one node. Code depends on the part it needs; only the
// composition root and the contract tests use all of it.
#pragma once

#include "ports/store/backlogs.hpp"
#include "ports/store/commands.hpp"
#include "ports/store/event_log.hpp"
#include "ports/store/headers.hpp"
#include "ports/store/intake.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/leases.hpp"
#include "ports/store/nodes.hpp"
#include "ports/store/queries.hpp"
#include "ports/store/relaxed_nonces.hpp"

namespace fencepost {

class Store : public Intake,
              public Leases,
              public LaneStore,
              public Commands,
              public EventLog,
              public Headers,
              public Nodes,
              public Queries,
              public Backlogs,
              public RelaxedNonces {};

}  // namespace fencepost
