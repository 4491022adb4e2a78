#include "domain/window/nonce_window.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace fencepost {

NonceWindow::NonceWindow(Nonce next, std::uint32_t size, std::span<const Nonce> in_flight)
    : next_(next),
      size_(size),
      in_flight_(in_flight.begin(), in_flight.end()) {
    FP_ASSERT(size >= 1);
    FP_ASSERT(in_flight_.size() == in_flight.size(), "a nonce is in flight twice");
    FP_ASSERT(in_flight_.empty() || *in_flight_.rbegin() < next_, "nonce {} is in flight above the cursor {}",
              *in_flight_.rbegin(), next_);
}

std::uint64_t NonceWindow::room() const { return in_flight_.size() < size_ ? size_ - in_flight_.size() : 0; }

std::optional<Nonce> NonceWindow::offer(std::uint64_t index) const {
    if (index >= room()) return std::nullopt;
    return Nonce(next_.value() + index);
}

void NonceWindow::committed(std::uint64_t count) {
    FP_ASSERT(count <= room(), "{} nonces committed with room for {}", count, room());
    for (std::uint64_t i = 0; i < count; ++i) {
        in_flight_.insert(next_);
        next_ = Nonce(next_.value() + 1);
    }
}

// A nonce that fills a gap needs no room: higher nonces depend on it and would block it permanently.
void NonceWindow::committed(Nonce nonce) {
    FP_ASSERT(room() > 0 || nonce < highest_in_flight(), "nonce {} was committed without room", nonce);
    FP_ASSERT(in_flight_.insert(nonce).second, "nonce {} is in flight twice", nonce);
    next_ = std::max(next_, Nonce(nonce.next()));
}

void NonceWindow::move_back(Nonce next) {
    FP_ASSERT(in_flight_.empty() || *in_flight_.rbegin() < next, "nonce {} is in flight above the cursor {}",
              *in_flight_.rbegin(), next);
    next_ = next;
}

void NonceWindow::consumed(Nonce nonce) {
    FP_ASSERT(nonce < next_, "nonce {} was consumed but never allocated", nonce);
    in_flight_.erase(nonce);
}

void NonceWindow::unconsumed(Nonce nonce) {
    FP_ASSERT(nonce < next_, "nonce {} was rolled back but never allocated", nonce);
    in_flight_.insert(nonce);
}

// Usually there is no gap, and no count is needed.
bool NonceWindow::is_contiguous() const {
    return !in_flight_.empty() && in_flight_.rbegin()->value() - in_flight_.begin()->value() + 1 == in_flight_.size();
}

std::size_t NonceWindow::in_flight_below(Nonce nonce) const {
    if (in_flight_.empty() || nonce <= *in_flight_.begin()) return 0;
    if (nonce > *in_flight_.rbegin()) return in_flight_.size();
    if (is_contiguous()) return nonce.above(*in_flight_.begin());
    return static_cast<std::size_t>(std::distance(in_flight_.begin(), in_flight_.lower_bound(nonce)));
}

std::optional<Nonce> NonceWindow::nth_in_flight(std::size_t count) const {
    if (count >= in_flight_.size()) return std::nullopt;
    if (is_contiguous()) return Nonce(in_flight_.begin()->value() + count);
    return *std::next(in_flight_.begin(), static_cast<std::ptrdiff_t>(count));
}

std::optional<Nonce> NonceWindow::lowest_in_flight() const {
    if (in_flight_.empty()) return std::nullopt;
    return *in_flight_.begin();
}

std::optional<Nonce> NonceWindow::highest_in_flight() const {
    if (in_flight_.empty()) return std::nullopt;
    return *in_flight_.rbegin();
}

}  // namespace fencepost
