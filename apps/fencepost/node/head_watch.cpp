#include "node/head_watch.hpp"

namespace fencepost::node {

Task<void> HeadWatch::run() {
    const auto stream = chain_.heads();
    while (true) {
        const auto event = co_await stream->next();
        if (event.blocks.empty()) continue;
        latest_ = event.blocks.back();
        heard_at_ = clock_.monotonic();
    }
}

std::optional<HeadWatch::Heard> HeadWatch::head() const {
    if (!latest_) return std::nullopt;
    return Heard{.block = latest_->ref, .base_fee = latest_->base_fee, .age = clock_.monotonic() - heard_at_};
}

}  // namespace fencepost::node
