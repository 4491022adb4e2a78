#include "domain/tx/diagnosis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/hex.hpp"

namespace fencepost {
namespace {

bool is_ours(const SlotFacts& slot, const TxHash& hash) {
    return std::ranges::find(slot.ours, hash) != slot.ours.end();
}

// Neither anywhere in a pool nor consumed: what stands above it can not be mined.
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
        if (slot.in_pool && !is_ours(slot, *slot.in_pool)) return foreign(slot);
        if (slot.nonce < count_) return consumed(slot);
        if (gap_ && *gap_ < slot.nonce) return behind_gap(slot);
        if (slot.withheld && withheld_from_ && *withheld_from_ <= slot.nonce) return window_full(slot);
        if (is_missing(slot, count_)) return lost(slot);
        if (slot.in_pool && *slot.in_pool != slot.ours.back()) return replaced(slot);
        if (base_fee_ && slot.offered < *base_fee_) return underpriced(slot);
        return {.nonce = slot.nonce,
                .likely = Likely::in_pool,
                .sentence = fmt::format("nonce {} waits in a pool, and nothing speaks against it", slot.nonce)};
    }

private:
    static Diagnosis mined(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = Likely::node_lagging,
                .sentence = fmt::format("an endpoint has nonce {} in block {}; its receipt has not reached us yet",
                                        slot.nonce, *slot.in_block)};
    }
    static Diagnosis foreign(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = Likely::foreign_in_slot,
                .other = slot.in_pool,
                .sentence = fmt::format("transaction {}, which is not ours, waits at nonce {}", name(*slot.in_pool),
                                        slot.nonce)};
    }
    // Ours would be known in its block to whoever counts it.
    static Diagnosis consumed(const SlotFacts& slot) {
        if (slot.is_known) {
            return {.nonce = slot.nonce,
                    .likely = Likely::node_lagging,
                    .sentence = fmt::format("nonce {} is consumed, and an endpoint still has ours waiting: it lags",
                                            slot.nonce)};
        }
        return {.nonce = slot.nonce,
                .likely = Likely::foreign_in_slot,
                .sentence = fmt::format("nonce {} is consumed, and no endpoint knows our transaction", slot.nonce)};
    }
    [[nodiscard]] Diagnosis behind_gap(const SlotFacts& slot) const {
        return {.nonce = slot.nonce,
                .likely = Likely::gap_below,
                .gap = gap_,
                .sentence = fmt::format("nonce {} waits for nonce {}, which is missing from every endpoint's pool",
                                        slot.nonce, *gap_)};
    }
    static Diagnosis window_full(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = Likely::window_full,
                .behind = slot.withheld,
                .sentence = fmt::format("nonce {} is {}", slot.nonce, sentence_of(*slot.withheld))};
    }
    [[nodiscard]] Diagnosis lost(const SlotFacts& slot) const {
        return {.nonce = slot.nonce,
                .likely = Likely::lost,
                .sentence = fmt::format("nonce {0} is missing from every endpoint's pool;{1} re-sending {0}",
                                        slot.nonce, those_behind(slot.nonce))};
    }
    static Diagnosis replaced(const SlotFacts& slot) {
        return {.nonce = slot.nonce,
                .likely = Likely::replaced,
                .other = slot.in_pool,
                .sentence = fmt::format("at nonce {} another attempt of ours, {}, stands in place of the latest",
                                        slot.nonce, name(*slot.in_pool))};
    }
    [[nodiscard]] Diagnosis underpriced(const SlotFacts& slot) const {
        const Wei short_by(base_fee_->value() - slot.offered.value());
        return {.nonce = slot.nonce,
                .likely = Likely::underpriced,
                .short_by = short_by,
                .sentence =
                    fmt::format("nonce {} offers {} wei a gas less than the base fee", slot.nonce, short_by.value())};
    }
    [[nodiscard]] std::string those_behind(Nonce nonce) const {
        const auto last = slots_.back().nonce;
        if (last == nonce) return "";
        const Nonce next(nonce.value() + 1);
        if (last == next) return fmt::format(" {} waits behind it;", next);
        return fmt::format(" {}–{} wait behind it;", next, last);
    }

    std::span<const SlotFacts> slots_;
    Nonce count_;
    std::optional<Wei> base_fee_;
    /// The lowest that is missing although it was sent, and the lowest that is missing because it is not.
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
