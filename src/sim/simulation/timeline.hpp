// The history of one transaction, one line per step: database writes, transmissions and blocks. Or the history of a
// submitter's lane: which node opened it and what was written under which token. Recorded in a second run of the same
// seed, after a first run has found a violation.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "domain/ids.hpp"
#include "sim/chain/wire_record.hpp"
#include "sim/simulation/violation.hpp"
#include "sim/store/database_event.hpp"

namespace fencepost::sim {

class Timeline {
public:
    explicit Timeline(const Subject& of);

    void see(Instant now, const DatabaseEvent& event);
    void see(const WireEntry& entry);

    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

private:
    void append(Instant now, const std::string& what);
    void append(Instant now, const Accepted& accepted);
    void append(Instant now, const Opened& opened);
    void append(Instant now, const Committed& committed);
    void append(Instant now, const Renewed& renewed);
    void append(Instant now, const Released& released);
    void append_lane_write(Instant now, const Committed& committed);
    void append_requeue(Instant now, const Committed& committed);

    std::optional<TxId> tx_{};  // none: the history is that of a whole lane
    std::optional<SubmitterId> submitter_{};
    std::set<TxHash> hashes_;
    std::vector<std::string> lines_;
};

}  // namespace fencepost::sim
