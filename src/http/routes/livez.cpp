// GET /livez: the process runs and answers. Nothing else is asked, so that a restart is not triggered by a database or
// a chain that is away: that is what readiness is for.
#include "http/routes/routes.hpp"

namespace fencepost::http::routes {
namespace {

Task<Response> answer(Request /*request*/) {
    co_return Response{.content_type = "application/json", .body = R"({"status":"ok"})"};
}

}  // namespace

Route livez() { return {.method = Method::get, .path = "/livez", .handler = answer}; }

}  // namespace fencepost::http::routes
