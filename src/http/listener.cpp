#include "http/listener.hpp"

#include <fmt/format.h>

#include "base/startup_error.hpp"

namespace fencepost::http {
namespace {

using asio::ip::tcp;
using boost::system::error_code;

[[noreturn]] void refuse(const ListenAddress& address, std::string_view why) {
    throw StartupError(fmt::format("cannot listen on {}: {}", address.to_string(), why));
}

tcp::endpoint resolve(const Executor& executor, const ListenAddress& address) {
    error_code error;
    tcp::resolver resolver(executor);
    const auto found = resolver.resolve(address.host, std::to_string(address.port), tcp::resolver::passive, error);
    if (error || found.empty()) {
        refuse(address,
               fmt::format("the name \"{}\" cannot be resolved ({}); use an address of this machine, such as 127.0.0.1",
                           address.host, error.message()));
    }
    return found.begin()->endpoint();
}

std::string what_to_do(const error_code& error) {
    if (error == asio::error::address_in_use) {
        return "another program already listens on it; stop that program or choose another address";
    }
    if (error == asio::error::access_denied) return "not permitted; choose a port above 1023";
    if (error == boost::system::errc::address_not_available) {
        return "this machine does not have that address; use one of its addresses, such as 127.0.0.1";
    }
    return fmt::format("{}; choose another address", error.message());
}

}  // namespace

tcp::acceptor open_listener(const Executor& executor, const ListenAddress& address, bool beyond_loopback) {
    const auto endpoint = resolve(executor, address);
    if (!beyond_loopback && !endpoint.address().is_loopback()) {
        refuse(address,
               "other machines could reach it; set http.beyondLoopback to true to allow that, or use a loopback "
               "address, such "
               "as 127.0.0.1 or [::1]");
    }

    error_code error;
    tcp::acceptor acceptor(executor);
    acceptor.open(endpoint.protocol(), error);
    // Lets a restart listen at once, without waiting for old connections in TIME_WAIT.
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) refuse(address, what_to_do(error));
    return acceptor;
}

}  // namespace fencepost::http
