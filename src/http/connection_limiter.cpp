#include "http/connection_limiter.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/ip/network_v6.hpp>

namespace fencepost::http {
namespace {

// Connections over the limit that are being answered at the same time.
constexpr std::size_t max_refusals = 64;

// Requests up to this size are accepted from every peer.
constexpr std::size_t small_request = std::size_t{32} * 1024;

}  // namespace

asio::ip::address peer_of(const asio::ip::address& address) {
    if (address.is_v4()) return address;
    const auto v6 = address.to_v6();
    if (v6.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, v6);
    constexpr unsigned short subscriber_bits = 64;
    return asio::ip::make_network_v6(v6, subscriber_bits).network();
}

ConnectionLimiter::Slot::Slot(ConnectionLimiter& limiter, const asio::ip::address& peer, bool admitted)
    : limiter_(&limiter),
      peer_(peer),
      admitted_(admitted) {
    ++(admitted_ ? limiter_->admitted_ : limiter_->refused_);
    if (admitted_) ++limiter_->admitted_by_peer_[peer_];
}

ConnectionLimiter::Slot::Slot(Slot&& other) noexcept
    : limiter_(std::exchange(other.limiter_, nullptr)),
      peer_(other.peer_),
      admitted_(other.admitted_) {}

ConnectionLimiter::Slot::~Slot() {
    if (limiter_ == nullptr) return;
    --(admitted_ ? limiter_->admitted_ : limiter_->refused_);
    if (!admitted_) return;
    const auto count = limiter_->admitted_by_peer_.find(peer_);
    if (--count->second == 0) limiter_->admitted_by_peer_.erase(count);
}

std::optional<ConnectionLimiter::Slot> ConnectionLimiter::acquire_slot(const asio::ip::tcp::socket& socket) {
    boost::system::error_code gone;
    const auto endpoint = socket.remote_endpoint(gone);
    if (gone) return std::nullopt;
    const auto peer = peer_of(endpoint.address());
    const auto found = admitted_by_peer_.find(peer);
    const std::size_t of_peer = found == admitted_by_peer_.end() ? 0 : found->second;
    const bool admitted = admitted_ < options_.max_connections && of_peer < options_.max_connections_per_peer;
    if (!admitted && refused_ >= max_refusals) return std::nullopt;
    return std::optional<Slot>(std::in_place, *this, peer, admitted);
}

bool ConnectionLimiter::admits(std::string_view path) const {
    return requests_ <= options_.max_requests ||
           std::ranges::find(options_.always_served_paths, path) != options_.always_served_paths.end();
}

std::size_t ConnectionLimiter::Body::large() const { return bytes_ > small_request ? bytes_ - small_request : 0; }

void ConnectionLimiter::Body::resize(std::size_t bytes) {
    const auto before = large();
    bytes_ = bytes;
    const auto after = large();
    if (before == after) return;
    limiter_.large_bytes_ += after - before;
    auto& of_peer = limiter_.large_by_peer_[peer_];
    of_peer += after - before;
    if (of_peer == 0) limiter_.large_by_peer_.erase(peer_);
}

void ConnectionLimiter::Body::grow(std::size_t bytes) { resize(bytes_ + bytes); }

void ConnectionLimiter::Body::forget() { resize(0); }

bool ConnectionLimiter::Body::fits() const {
    if (large() == 0) return true;
    return limiter_.large_bytes_ <= limiter_.options_.max_large_body_bytes &&
           limiter_.large_by_peer_.at(peer_) <= limiter_.max_large_bytes_per_peer();
}

// A quarter, so that one peer cannot block the large requests of others; but one request must always fit.
std::size_t ConnectionLimiter::max_large_bytes_per_peer() const {
    return std::max(options_.max_large_body_bytes / 4, options_.request.body_bytes);
}

}  // namespace fencepost::http
