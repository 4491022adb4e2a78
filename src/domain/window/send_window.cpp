#include "domain/window/send_window.hpp"

#include <algorithm>
#include <chrono>

#include "base/assert.hpp"

namespace fencepost {
namespace {

// Knowledge about pools expires: the window is halved for each minute without transactions in flight.
constexpr Duration idle_period = std::chrono::minutes(1);
// Number of rounds to grow back to the size before a reduction.
constexpr std::uint32_t recovery_rounds = 16;

}  // namespace

SendWindow::SendWindow(WindowRules rules, const std::optional<WindowState>& stored)
    : rules_(rules),
      size_(rules.start),
      stored_(stored) {
    FP_ASSERT(rules.start >= 1 && rules.start <= rules.ceiling, "a window from {} to {}", rules.start, rules.ceiling);
    // A stored delegation stays in force until it is disproved; the size that pools accept was not measured.
    delegated_ = stored && stored->limit == WindowLimit::delegated;
    if (stored && !delegated_ && !rules.is_fixed()) size_ = std::clamp(stored->size / 2, 1U, rules.ceiling);
}

WindowState SendWindow::state() const {
    if (delegated_) return {1, WindowLimit::delegated};
    return {size_, size_ == rules_.ceiling ? WindowLimit::ceiling : cause_};
}

bool SendWindow::needs_store(const WindowState& now) const {
    if (!stored_) return now.size != rules_.start || now.limit == WindowLimit::delegated;
    if (now.size == stored_->size) return false;
    return now.size >= 2 * stored_->size || 2 * now.size <= stored_->size;
}

void SendWindow::sent(Nonce next, bool full, Instant now) {
    if (idle_since_) {
        for (auto rested = now - *idle_since_; rested >= idle_period && size_ > rules_.start; rested -= idle_period)
            size_ = std::max(size_ / 2, rules_.start);
        idle_since_.reset();
    }
    if (!round_end_) round_end_ = next;
    was_full_ = was_full_ || full;
}

void SendWindow::seen(Nonce next) {
    if (!round_end_ || next < *round_end_) return;
    if (was_full_) grow();
    round_end_.reset();
    was_full_ = false;
}

void SendWindow::grow() {
    size_ = std::min(rules_.ceiling, size_ + std::min(size_, step_.value_or(size_)));
    if (size_ >= reduced_from_) cause_ = WindowLimit::demand;
}

bool SendWindow::reduce(WindowLimit cause, Instant sent_at, Instant now) {
    if (reduced_at_ && sent_at <= *reduced_at_) return false;
    reduced_at_ = now;
    cause_ = cause;
    reduced_from_ = size_;
    size_ = std::max(1U, size_ / 2);
    // Fixed per reduction: lanes that share a pool grow by equal steps and so converge to equal shares. (A step
    // proportional to the size would keep a small window small.)
    if (!step_) step_ = std::max(1U, size_ / recovery_rounds);
    round_end_.reset();
    was_full_ = false;
    return true;
}

void SendWindow::note_idle(Instant now) {
    if (!idle_since_) idle_since_ = now;
}

}  // namespace fencepost
