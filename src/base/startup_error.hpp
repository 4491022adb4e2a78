// A service that cannot start says so once, to a person: what is wrong and what to do about it, in one sentence. This
// and cancellation are the only things thrown.
#pragma once

#include <stdexcept>

namespace fencepost {

/// what() is that sentence, without the program's name and without a full stop.
class StartupError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace fencepost
