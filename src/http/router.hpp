// Maps path and method to a handler, and answers requests that no handler matches.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message/message.hpp"

namespace fencepost::http {

/// One route. A function in routes/ makes each, one file per route.
struct Route {
    Method method = Method::get;
    /// A segment in braces matches any one segment: "/tx/{txId}/history".
    std::string path;
    Handler handler;
};

class Router {
public:
    /// A path may have several methods, each once.
    void add(Route route);

    /// The response of the route's handler; 404 for an unknown path, 405 with Allow for another method, 400 where a
    /// parameter is not valid percent-encoding. A path without parameters takes precedence over one with parameters.
    /// Every GET route also answers HEAD (RFC 9110, section 9.3.2); the server omits the body.
    [[nodiscard]] Task<Response> answer(Request request) const;

    /// "GET /tx/{txId}" for each route, sorted; a test compares it with the OpenAPI document.
    [[nodiscard]] std::vector<std::string> listing() const;

private:
    using Methods = std::map<Method, Handler>;

    [[nodiscard]] const std::pair<const std::string, Methods>* find(std::string_view path) const;

    std::map<std::string, Methods, std::less<>> paths_;
    std::map<std::string, Methods, std::less<>> patterns_;
};

}  // namespace fencepost::http
