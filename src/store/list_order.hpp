// Transaction lists are ordered by acceptance, ascending or descending.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ports/store/queries.hpp"

namespace fencepost::store {

/// SQL text of a list in both orders, walking an index forwards or backwards. "{beyond}" marks the cursor comparison,
/// "{way}" the sort direction.
class BothOrders {
public:
    explicit BothOrders(std::string_view sql)
        : oldest_first_(fmt::format(fmt::runtime(sql), fmt::arg("beyond", ">"), fmt::arg("way", "ASC"))),
          newest_first_(fmt::format(fmt::runtime(sql), fmt::arg("beyond", "<"), fmt::arg("way", "DESC"))) {}

    [[nodiscard]] const std::string& in(ListOrder order) const {
        return order == ListOrder::oldest_first ? oldest_first_ : newest_first_;
    }

private:
    std::string oldest_first_;
    std::string newest_first_;
};

/// The position after which a page starts; for the first page, the end of the list.
inline std::int64_t cursor_of(const TxFilter& filter) {
    constexpr auto last = std::numeric_limits<std::int64_t>::max();
    if (!filter.after) return filter.order == ListOrder::oldest_first ? 0 : last;
    return filter.after->value() > std::uint64_t{last} ? last : static_cast<std::int64_t>(filter.after->value());
}

}  // namespace fencepost::store
