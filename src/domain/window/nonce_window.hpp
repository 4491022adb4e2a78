// The nonces a submitter may use next. The cursor advances only over committed nonces, so no nonce is allocated twice
// and none is skipped (laws 3 and 4); the window bounds the number in flight.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <span>

#include "domain/ids.hpp"

namespace fencepost {

class NonceWindow {
public:
    /// `next` is the stored cursor, `in_flight` the nonces below it that are not mined, `size` at least 1 (single
    /// in-flight).
    NonceWindow(Nonce next, std::uint32_t size, std::span<const Nonce> in_flight = {});

    /// The cursor: the first nonce that was never committed.
    [[nodiscard]] Nonce next() const { return next_; }
    [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }
    [[nodiscard]] std::size_t in_flight_below(Nonce nonce) const;
    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// Nonces in flight stay in flight, also when they exceed the new size.
    void resize(std::uint32_t size) { size_ = size; }
    /// How many may be allocated now. 0 while more are in flight than the window allows: after a reorg, or after a
    /// reduction of the window.
    [[nodiscard]] std::uint64_t room() const;

    /// The nonce for the i-th transaction of a batch, or none when the window is full. Does not change state: a batch
    /// that is not committed (builder failed, conflict, busy, fenced) leaves no gap.
    [[nodiscard]] std::optional<Nonce> offer(std::uint64_t index) const;

    /// The first `count` offered nonces were committed.
    void committed(std::uint64_t count);
    /// This nonce was committed, at any position: other systems use nonces of a shared key in between.
    void committed(Nonce nonce);
    /// The nonces from `next` up were released; none of them is in flight.
    void move_back(Nonce next);
    /// An attempt at this nonce was mined: it no longer occupies the window.
    void consumed(Nonce nonce);
    /// A reorg reverted that.
    void unconsumed(Nonce nonce);

    /// The nonce in flight with `count` others below it; none if there are fewer.
    [[nodiscard]] std::optional<Nonce> nth_in_flight(std::size_t count) const;
    /// The lowest nonce that is not mined: it blocks all higher ones (failure 10).
    [[nodiscard]] std::optional<Nonce> lowest_in_flight() const;
    [[nodiscard]] std::optional<Nonce> highest_in_flight() const;

private:
    [[nodiscard]] bool is_contiguous() const;

    Nonce next_;
    std::uint32_t size_;
    std::set<Nonce> in_flight_;
};

}  // namespace fencepost
