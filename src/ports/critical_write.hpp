// One line for each critical write, with the submitter, the transaction, the node and its fencing token: what happened
// to a transaction, and under whose token, can be read from the nodes' logs alone. Every place that writes under a
// fence says so through here, so that the fields have the same names everywhere.
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

/// `tx` is none for what is about the submitter alone.
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
