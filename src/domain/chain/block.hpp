// A block as far as we care: where it stands and what it stands on.
#pragma once

#include "domain/ids.hpp"

namespace fencepost {

struct BlockRef {
    BlockNumber number;
    BlockHash hash;
    BlockHash parent;

    friend bool operator==(const BlockRef&, const BlockRef&) = default;
};

}  // namespace fencepost
