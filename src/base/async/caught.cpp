#include "base/async/caught.hpp"

namespace fencepost {

std::string what_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception of an unknown kind";
    }
}

}  // namespace fencepost
