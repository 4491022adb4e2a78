// The part of a block header that the domain needs: height, hash and parent.
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
