// Private to src/http: what goes on in a server at this moment, against its limits. A limit that is not counted is
// none.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/async/task.hpp"
#include "http/server.hpp"

namespace fencepost::http {

/// Whom an address belongs to, as far as an address can say: a subscriber has a whole network of IPv6 (/64).
[[nodiscard]] asio::ip::address owner_of(const asio::ip::address& address);

/// Everything that is counted here is given back by the destructor of what counted it; this outlives all of them.
class Load {
public:
    /// The options must outlive it.
    explicit Load(const ServerOptions& options) : options_(options) {}
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    /// One open connection: one that is served, or one that is told why it is not.
    class Place {
    public:
        Place(Load& load, const asio::ip::address& peer, bool admitted);
        Place(Place&& other) noexcept;
        Place& operator=(Place&&) = delete;
        ~Place();

        [[nodiscard]] bool is_admitted() const { return admitted_; }
        /// Whom it belongs to, as far as an address can say.
        [[nodiscard]] const asio::ip::address& peer() const { return peer_; }

    private:
        Load* load_;
        asio::ip::address peer_;
        bool admitted_;
    };
    /// Nothing when so many are being told already that this one is better closed without a word.
    [[nodiscard]] std::optional<Place> place_for(const asio::ip::tcp::socket& socket);

    /// A request from its last byte to the last byte of its answer.
    class Request {
    public:
        explicit Request(Load& load) : load_(load) { ++load_.requests_; }
        ~Request() { --load_.requests_; }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;

    private:
        Load& load_;
    };
    /// Whether a request that is counted already may be worked on.
    [[nodiscard]] bool admits(std::string_view path) const;

    /// What a connection has received of the request that it is busy with.
    class Body {
    public:
        Body(Load& load, const asio::ip::address& peer) : load_(load), peer_(peer) {}
        ~Body() { forget(); }
        Body(const Body&) = delete;
        Body& operator=(const Body&) = delete;

        void grow(std::size_t bytes);
        void forget();
        /// False when it is a large one, and the large ones together are too many bytes, or those of its peer are.
        [[nodiscard]] bool fits() const;

    private:
        [[nodiscard]] std::size_t large() const;
        void resize(std::size_t bytes);

        Load& load_;
        const asio::ip::address peer_;
        std::size_t bytes_ = 0;
    };

private:
    [[nodiscard]] std::size_t share_of_peer() const;

    const ServerOptions& options_;
    std::map<asio::ip::address, std::size_t> admitted_by_peer_;
    std::size_t admitted_ = 0;
    std::size_t refused_ = 0;
    std::size_t requests_ = 0;
    std::size_t large_bytes_ = 0;
    std::map<asio::ip::address, std::size_t> large_by_peer_;
};

}  // namespace fencepost::http
