// Which nonces a submitter may use next. The cursor only ever advances over what was committed, so no nonce is given
// twice and none is skipped (laws 3 and 4); the window bounds how many wait to be mined.
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
    /// `next` is the stored cursor, `in_flight` the nonces below it that are not mined in our view, `size` at least 1
    /// (1 is the seeds' "single in-flight").
    NonceWindow(Nonce next, std::uint32_t size, std::span<const Nonce> in_flight = {});

    /// The cursor: the first nonce that was never committed.
    [[nodiscard]] Nonce next() const { return next_; }
    [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }
    [[nodiscard]] std::size_t in_flight_below(Nonce nonce) const;
    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// Those that are in flight stay so, also when they are more.
    void resize(std::uint32_t size) { size_ = size; }
    /// How many may be allocated now. 0 while more is in flight than the window allows: after a reorg, or when the
    /// window has become smaller.
    [[nodiscard]] std::uint64_t room() const;

    /// The nonce for the i-th transaction of a batch, or nothing when the window is full. Offering changes nothing: a
    /// batch that is not committed (builder failed, conflict, busy, fenced) leaves no hole.
    [[nodiscard]] std::optional<Nonce> offer(std::uint64_t index) const;

    /// The first `count` offered nonces were committed.
    void committed(std::uint64_t count);
    /// This one was committed, wherever it stands: of a shared key, others take some in between.
    void committed(Nonce nonce);
    /// The nonces from this one up were given back, and none of them is in flight.
    void step_back(Nonce next);
    /// An attempt at this nonce was mined: it no longer takes room.
    void consumed(Nonce nonce);
    /// A reorg took that back.
    void unconsumed(Nonce nonce);

    /// The one in flight that has `count` others below it; none when there are not so many.
    [[nodiscard]] std::optional<Nonce> nth_in_flight(std::size_t count) const;
    /// The lowest nonce that is not mined: what everything above it waits for (failure 10).
    [[nodiscard]] std::optional<Nonce> lowest_in_flight() const;
    [[nodiscard]] std::optional<Nonce> highest_in_flight() const;

private:
    [[nodiscard]] bool is_contiguous() const;

    Nonce next_;
    std::uint32_t size_;
    std::set<Nonce> in_flight_;
};

}  // namespace fencepost
