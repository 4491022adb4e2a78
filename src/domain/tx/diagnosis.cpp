#include "domain/tx/diagnosis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "domain/amount_text.hpp"

namespace fencepost {
namespace {

bool is_ours(const SlotFacts& slot, const TxHash& hash) {
    return std::ranges::find(slot.ours, hash) != slot.ours.end();
}

// Neither in any pool nor consumed: it blocks all higher nonces.
bool is_missing(const SlotFacts& slot, Nonce count) { return slot.nonce >= count && !slot.is_known && !slot.in_pool; }

std::string name(const TxHash& hash) { return to_hex_prefixed(hash.view()); }

class Diagnostician {
public:
    Diagnostician(std::span<const SlotFacts> slots, Nonce count, std::optional<Wei> base_fee)
        : slots_(slots),
          count_(count),
          base_fee_(base_fee) {
        for (const auto& slot : slots) {
            if (!is_missing(slot, count)) continue;
            auto& lowest = slot.withheld ? withheld_from_ : gap_;
            if (!lowest) lowest = slot.nonce;
        }
    }

    [[nodiscard]] Diagnosis look_at(const SlotFacts& slot) const {
        FP_ASSERT(!slot.ours.empty(), "nonce {} has no attempt", slot.nonce);
        if (slot.in_block) return mined(slot);
        if (slot.in_pool && !is_ours(slot, *slot.in_pool)) return external_tx(slot);
        if (slot.nonce < count_) return consumed(slot);
        if (gap_ && *gap_ < slot.nonce) return behind_gap(slot);
        if (slot.withheld && withheld_from_ && *withheld_from_ <= slot.nonce) return window_full(slot);
        if (is_missing(slot, count_)) return lost(slot);
        if (slot.in_pool && *slot.in_pool != slot.ours.back()) return replaced(slot);
        if (base_fee_ && slot.offered < *base_fee_) return underpriced(slot);
        return {.nonce = slot.nonce,
                .likely = LikelyCause::in_pool,
                .sentence = fmt::format("nonce {} is pending in a pool; no problem found", slot.nonce)};
    }

private:
    static Diagnosis mined(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = LikelyCause::node_lagging,
                .sentence = fmt::format("an endpoint has nonce {} in block {}; its receipt has not arrived yet",
                                        slot.nonce, *slot.in_block)};
    }
    static Diagnosis external_tx(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = LikelyCause::foreign_in_slot,
                .other = slot.in_pool,
                .sentence =
                    fmt::format("the external transaction {} is pending at nonce {}", name(*slot.in_pool), slot.nonce)};
    }
    // If our transaction had consumed it, an endpoint with this count would show it in a block.
    static Diagnosis consumed(const SlotFacts& slot) {
        if (slot.is_known) {
            return {
                .nonce = slot.nonce,
                .likely = LikelyCause::node_lagging,
                .sentence = fmt::format(
                    "nonce {} is consumed, and an endpoint that lags still has our transaction pending", slot.nonce)};
        }
        return {.nonce = slot.nonce,
                .likely = LikelyCause::foreign_in_slot,
                .sentence = fmt::format("nonce {} is consumed, and no endpoint knows our transaction", slot.nonce)};
    }
    [[nodiscard]] Diagnosis behind_gap(const SlotFacts& slot) const {
        return {.nonce = slot.nonce,
                .likely = LikelyCause::gap_below,
                .gap = gap_,
                .sentence = fmt::format("nonce {} is blocked by nonce {}, which is missing from every endpoint's pool",
                                        slot.nonce, *gap_)};
    }
    static Diagnosis window_full(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = LikelyCause::window_full,
                .behind = slot.withheld,
                .sentence = fmt::format("nonce {} is {}", slot.nonce, sentence_of(*slot.withheld))};
    }
    [[nodiscard]] Diagnosis lost(const SlotFacts& slot) const {
        return {.nonce = slot.nonce,
                .likely = LikelyCause::lost,
                .sentence = fmt::format("nonce {0} is missing from every endpoint's pool;{1} re-sending {0}",
                                        slot.nonce, those_behind(slot.nonce))};
    }
    static Diagnosis replaced(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = LikelyCause::replaced,
                .other = slot.in_pool,
                .sentence = fmt::format("at nonce {} another attempt of ours, {}, is pending instead of the latest",
                                        slot.nonce, name(*slot.in_pool))};
    }
    [[nodiscard]] Diagnosis underpriced(const SlotFacts& slot) const {
        const Wei short_by(base_fee_->value() - slot.offered.value());
        return {.nonce = slot.nonce,
                .likely = LikelyCause::underpriced,
                .short_by = short_by,
                .sentence = fmt::format("the maximum fee of nonce {} is {} below the base fee", slot.nonce,
                                        gas_price_text(short_by))};
    }
    [[nodiscard]] std::string those_behind(Nonce nonce) const {
        const auto last = slots_.back().nonce;
        if (last == nonce) return "";
        const Nonce next(nonce.value() + 1);
        if (last == next) return fmt::format(" {} is blocked by it;", next);
        return fmt::format(" {}–{} are blocked by it;", next, last);
    }

    std::span<const SlotFacts> slots_;
    Nonce count_;
    std::optional<Wei> base_fee_;
    /// The lowest nonce that was sent and is missing, and the lowest that was not sent yet.
    std::optional<Nonce> gap_;
    std::optional<Nonce> withheld_from_;
};

}  // namespace

std::vector<Diagnosis> diagnose(std::span<const SlotFacts> slots, Nonce count, std::optional<Wei> base_fee) {
    const Diagnostician diagnostician(slots, count, base_fee);
    std::vector<Diagnosis> diagnoses;
    diagnoses.reserve(slots.size());
    for (const auto& slot : slots)
        diagnoses.push_back(diagnostician.look_at(slot));
    return diagnoses;
}

}  // namespace fencepost
