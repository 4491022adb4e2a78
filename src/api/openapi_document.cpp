#include "api/openapi_document.hpp"

// The text is longer than the standard asks compilers to take; ours takes it.
#pragma clang diagnostic ignored "-Woverlength-strings"

namespace fencepost::api {

std::string_view openapi_document() {
    return
#include "openapi_document.inc"
        ;
}

}  // namespace fencepost::api
