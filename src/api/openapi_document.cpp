#include "api/openapi_document.hpp"

// The string literal is longer than the standard's minimum limit; the supported compiler accepts it.
#pragma clang diagnostic ignored "-Woverlength-strings"

namespace fencepost::api {

std::string_view openapi_document() {
    return
#include "openapi_document.inc"
        ;
}

}  // namespace fencepost::api
