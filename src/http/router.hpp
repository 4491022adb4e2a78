// Which handler answers which path and method, and what is said when none does.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "http/message.hpp"

namespace fencepost::http {

/// One line of the API. Each is made by a function in routes/, one file a route.
struct Route {
    Method method = Method::get;
    std::string path;
    Handler handler;
};

class Router {
public:
    /// A path may be given several methods, each once.
    void add(Route route);

    /// The answer of the route's handler; 404 where there is no such path, 405 with Allow where it has other methods.
    /// Every GET route also answers HEAD (RFC 9110, section 9.3.2); the server leaves the body out.
    [[nodiscard]] Task<Response> answer(Request request) const;

private:
    using Methods = std::map<Method, Handler>;

    std::map<std::string, Methods, std::less<>> paths_;
};

}  // namespace fencepost::http
