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

asio::ip::address owner_of(const asio::ip::address& address) {
    if (address.is_v4()) return address;
    const auto v6 = address.to_v6();
    if (v6.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, v6);
    constexpr unsigned short subscriber_bits = 64;
    return asio::ip::make_network_v6(v6, subscriber_bits).network();
}

Load::Place::Place(Load& load, const asio::ip::address& peer, bool admitted)
    : load_(&load),
      peer_(peer),
      admitted_(admitted) {
    ++(admitted_ ? load_->admitted_ : load_->refused_);
    if (admitted_) ++load_->admitted_by_peer_[peer_];
}

Load::Place::Place(Place&& other) noexcept
    : load_(std::exchange(other.load_, nullptr)),
      peer_(other.peer_),
      admitted_(other.admitted_) {}

Load::Place::~Place() {
    if (load_ == nullptr) return;
    --(admitted_ ? load_->admitted_ : load_->refused_);
    if (!admitted_) return;
    const auto count = load_->admitted_by_peer_.find(peer_);
    if (--count->second == 0) load_->admitted_by_peer_.erase(count);
}

std::optional<Load::Place> Load::place_for(const asio::ip::tcp::socket& socket) {
    boost::system::error_code gone;
    const auto endpoint = socket.remote_endpoint(gone);
    if (gone) return std::nullopt;
    const auto peer = owner_of(endpoint.address());
    const auto found = admitted_by_peer_.find(peer);
    const std::size_t of_peer = found == admitted_by_peer_.end() ? 0 : found->second;
    const bool admitted = admitted_ < options_.max_connections && of_peer < options_.max_connections_per_peer;
    if (!admitted && refused_ >= max_refusals) return std::nullopt;
    return std::optional<Place>(std::in_place, *this, peer, admitted);
}

bool Load::admits(std::string_view path) const {
    return requests_ <= options_.max_requests ||
           std::ranges::find(options_.vital_paths, path) != options_.vital_paths.end();
}

std::size_t Load::Body::large() const { return bytes_ > small_request ? bytes_ - small_request : 0; }

void Load::Body::resize(std::size_t bytes) {
    const auto before = large();
    bytes_ = bytes;
    const auto after = large();
    if (before == after) return;
    load_.large_bytes_ += after - before;
    auto& of_peer = load_.large_by_peer_[peer_];
    of_peer += after - before;
    if (of_peer == 0) load_.large_by_peer_.erase(peer_);
}

void Load::Body::grow(std::size_t bytes) { resize(bytes_ + bytes); }

void Load::Body::forget() { resize(0); }

bool Load::Body::fits() const {
    if (large() == 0) return true;
    return load_.large_bytes_ <= load_.options_.max_large_body_bytes &&
           load_.large_by_peer_.at(peer_) <= load_.share_of_peer();
}

// A quarter, so that one peer cannot block the large requests of others; but one request must always fit.
std::size_t Load::share_of_peer() const {
    return std::max(options_.max_large_body_bytes / 4, options_.request.body_bytes);
}

}  // namespace fencepost::http
