// One log line per critical write, with submitter, transaction, node and fencing token, so that the history of a
// transaction can be reconstructed from the nodes' logs. Every fenced write logs through here, so that the field names
// are the same everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "domain/ids.hpp"
#include "domain/lease.hpp"
#include "ports/log.hpp"
#include "ports/store/leases.hpp"

namespace fencepost {

/// `tx` is none when the write concerns the submitter alone.
inline void log_critical_write(Log& log, Severity severity, const LeaseClaim& claim, std::optional<TxId> tx,
                               std::string_view what) {
    if (!log.enabled(severity)) return;
    log.write(severity, "Written under the fence",
              {{"submitter", claim.submitter.to_string()},
               {"txId", tx ? fmt::format("{}", *tx) : "-"},
               {"nodeId", claim.fence.node.value()},
               {"fencingToken", fmt::format("{}", claim.fence.token)},
               {"what", std::string(what)}});
}

}  // namespace fencepost
