// GET /livez: the process runs and answers. It checks nothing else, so that a database or chain outage does not trigger
// a restart; readiness covers those.
#include "http/routes/routes.hpp"

namespace fencepost::http::routes {
namespace {

Task<Response> answer(Request /*request*/) {
    co_return Response{.content_type = "application/json", .body = R"({"status":"ok"})"};
}

}  // namespace

Route livez() { return {.method = Method::get, .path = "/livez", .handler = answer}; }

}  // namespace fencepost::http::routes
