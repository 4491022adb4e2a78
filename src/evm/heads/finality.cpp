// Rules for the tags finalized and safe, and for depth without them.
#include "evm/heads/finality.hpp"

#include <algorithm>
#include <utility>

#include "evm/errors/endpoint_error.hpp"
#include "evm/errors/error_patterns.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

std::optional<BlockNumber> below(BlockNumber head, std::uint64_t depth) {
    if (head.value() < depth) return std::nullopt;
    return BlockNumber(head.value() - depth);
}

// A block below the window cannot be checked, but it is older than the known finalized block anyway.
bool is_on(const CanonicalChain& chain, const BlockRef& block) {
    return block.number < chain.oldest()->number || chain.contains(block);
}

// Depth decides only when the node does not know the tag. "Not found" means that the node has no such block yet, and
// any other error is no evidence (law 5).
bool is_unknown_tag(const jsonrpc::Error& error) {
    if (to_rpc_error(error).kind == RpcError::Kind::unsupported) return true;
    const auto* refusal = std::get_if<jsonrpc::ErrorAnswer>(&error);
    if (refusal == nullptr) return false;
    const auto words = lower_case(refusal->message);
    if (says(words, "not found")) return false;
    return refusal->code == invalid_params || says(words, "invalid block") || says(words, "unknown block tag") ||
           says(words, "unsupported block tag") || says(words, "invalid argument");
}

}  // namespace

ReportedTag ReportedTag::from(const Answer& answer) {
    if (!answer) {
        return {is_unknown_tag(answer.error()) ? Kind::absent : Kind::unanswered};
    }
    const auto block = read_block(*answer);
    if (!block) return {};
    if (!*block) return {Kind::absent};
    return {Kind::reported, (*block)->ref};
}

void Finality::note(Tag& tag, const ReportedTag& reported) {
    if (reported.kind == ReportedTag::Kind::reported) tag.offered = true;
    if (reported.kind == ReportedTag::Kind::absent && !tag.offered && !std::exchange(tag.noticed, true))
        tag.to_tell = true;
}

Settled Finality::update(const ReportedTag& safe, const ReportedTag& finalized, const CanonicalChain& chain) {
    note(safe_tag_, safe);
    note(finalized_tag_, finalized);
    update_finalized(finalized, chain);
    update_safe(safe, chain);
    Settled settled{.safe = {}, .finalized = finalized_};
    if (safe_) settled.safe = safe_->number;
    settled.safe = std::max(settled.safe, settled.finalized);
    return settled;
}

void Finality::update_finalized(const ReportedTag& reported, const CanonicalChain& chain) {
    if (reported.kind == ReportedTag::Kind::reported && is_on(chain, *reported.block)) {
        finalized_ = std::max(finalized_, std::optional(reported.block->number));
    } else if (reported.kind == ReportedTag::Kind::absent && !finalized_tag_.offered) {
        finalized_ = std::max(finalized_, below(chain.head()->number, depth_));
    }
}

void Finality::update_safe(const ReportedTag& reported, const CanonicalChain& chain) {
    if (safe_ && !is_on(chain, *safe_)) safe_.reset();
    std::optional<BlockRef> now;
    if (reported.kind == ReportedTag::Kind::reported && is_on(chain, *reported.block)) {
        now = reported.block;
    } else if (reported.kind == ReportedTag::Kind::absent && !safe_tag_.offered) {
        const auto number = below(chain.head()->number, depth_ / 2);
        const auto* block = number ? chain.at(*number) : nullptr;
        if (block != nullptr) now = *block;
    }
    if (now && (!safe_ || now->number > safe_->number)) safe_ = now;
}

std::optional<BlockNumber> Finality::bottom(const ReportedTag& finalized, BlockNumber head) const {
    switch (finalized.kind) {
        case ReportedTag::Kind::reported:
            return finalized.block->number;
        case ReportedTag::Kind::absent:
            return below(head, depth_).value_or(BlockNumber(0));
        case ReportedTag::Kind::unanswered:
            break;
    }
    return std::nullopt;
}

std::vector<std::string_view> Finality::newly_unsupported() {
    std::vector<std::string_view> names;
    if (std::exchange(safe_tag_.to_tell, false)) names.push_back(name_of(At::safe));
    if (std::exchange(finalized_tag_.to_tell, false)) names.push_back(name_of(At::finalized));
    return names;
}

void Finality::restart() {
    finalized_.reset();
    safe_.reset();
}

}  // namespace fencepost::evm
