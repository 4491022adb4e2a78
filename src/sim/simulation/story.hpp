// The story of one transaction, a line a step: what the database took, what left a node, what was mined. Gathered in a
// second run of the same seed, when a first one has found that something is wrong with it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "domain/ids.hpp"
#include "sim/chain/wire_record.hpp"
#include "sim/store/database_event.hpp"

namespace fencepost::sim {

class Story {
public:
    explicit Story(TxId of) : of_(of) {}

    void see(Instant now, const DatabaseEvent& event);
    void see(const WireEntry& entry);

    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

private:
    void tell(Instant now, const std::string& what);
    void tell(Instant now, const Committed& committed);

    TxId of_;
    std::optional<SubmitterId> submitter_{};
    std::set<TxHash> hashes_;
    std::vector<std::string> lines_;
};

}  // namespace fencepost::sim
