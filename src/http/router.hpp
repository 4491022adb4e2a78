// Which handler answers which path and method, and what is said when none does.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message/message.hpp"

namespace fencepost::http {

/// One line of the API. Each is made by a function in routes/, one file a route.
struct Route {
    Method method = Method::get;
    /// A part in braces stands for any one part: "/tx/{txId}/history".
    std::string path;
    Handler handler;
};

class Router {
public:
    /// A path may be given several methods, each once.
    void add(Route route);

    /// The answer of the route's handler; 404 where there is no such path, 405 with Allow where it has other methods,
    /// 400 where a parameter is not percent-encoded as it should be. A path without parameters goes before one with.
    /// Every GET route also answers HEAD (RFC 9110, section 9.3.2); the server leaves the body out.
    [[nodiscard]] Task<Response> answer(Request request) const;

    /// "GET /tx/{txId}" for each, sorted: what a description of the API must agree with.
    [[nodiscard]] std::vector<std::string> listing() const;

private:
    using Methods = std::map<Method, Handler>;

    [[nodiscard]] const std::pair<const std::string, Methods>* find(std::string_view path) const;

    std::map<std::string, Methods, std::less<>> paths_;
    std::map<std::string, Methods, std::less<>> patterns_;
};

}  // namespace fencepost::http
