// Polls heads, adopts branches and restarts the window.
#include "evm/heads/block_follower.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "evm/errors/rpc_errors.hpp"

namespace fencepost::evm {
namespace {

using namespace asio::experimental::awaitable_operators;

// Most reorgs are shallow: the first step below our head is short, each further step twice as long.
constexpr std::uint64_t first_step_down = 4;

Request block_at(const Json& number_or_tag) { return {"eth_getBlockByNumber", {number_or_tag, false}}; }

std::string text_of(BlockNumber number) { return fmt::format("{}", number); }

}  // namespace

BlockFollower::BlockFollower(Rpc& rpc, Clock& clock, Log& log, FollowerOptions options)
    : rpc_(rpc),
      clock_(clock),
      log_(log),
      options_(std::move(options)),
      ancestors_(rpc, options_.fetch_batch),
      finality_(options_.finality_depth),
      streams_(options_.queue_length) {
    FP_ASSERT(options_.max_window > 1 && options_.fetch_batch > 0);
    FP_ASSERT(options_.poll_interval > Duration::zero());
}

Task<void> BlockFollower::run() {
    wakeup_.emplace(co_await asio::this_coro::executor);
    auto pause = options_.poll_interval;
    for (;;) {
        const auto outcome = co_await poll();
        log_state_change(outcome);
        pause = outcome ? options_.poll_interval : std::min(2 * pause, options_.max_pause);
        co_await (clock_.sleep_for(pause) || wakeup_->wait());
    }
}

void BlockFollower::poll_now() {
    if (wakeup_) wakeup_->notify();
}

Task<Status<RpcError>> BlockFollower::poll() {
    auto view = co_await ask();
    if (!view) co_return err(view.error());
    Status<RpcError> outcome;
    if (chain().empty()) {
        outcome = co_await begin(*view);
    } else if (chain().contains(view->head->ref)) {
        settle(*view);
    } else if (is_lower_than_ours(view->head->ref)) {
        warn_of_lower_head(view->head->ref);
        co_return outcome;
    } else {
        outcome = co_await join(*view);
    }
    lower_since_.reset();
    log_unsupported_tags();
    co_return outcome;
}

// One batch, so one view: no tag above the head.
Task<RpcResult<BlockFollower::View>> BlockFollower::ask() {
    std::vector<Request> batch{block_at(write_tag(At::latest)), block_at(write_tag(At::safe)),
                               block_at(write_tag(At::finalized))};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{});
    FP_ASSERT(answers.size() == 3);
    auto head = read_answer(answers[0], read_block);
    if (!head) co_return err(head.error());
    if (!*head) co_return err(RpcError{RpcError::Kind::malformed, "the node returned no latest block"});
    co_return View{std::make_shared<const Block>(std::move(**head)), ReportedTag::from(answers[1]),
                   ReportedTag::from(answers[2])};
}

bool BlockFollower::is_lower_than_ours(const BlockRef& head) const { return head.number < chain().head()->number; }

BlockNumber BlockFollower::lowest_kept(const Settled& settled, BlockNumber head) const {
    const BlockNumber by_size(head.value() - std::min<std::uint64_t>(head.value(), options_.max_window - 1));
    return std::max(by_size, settled.finalized.value_or(BlockNumber(0)));
}

// From the head down to the finalized block. All or nothing.
Task<RpcResult<Blocks>> BlockFollower::whole_window(View view) {
    const auto number = view.head->ref.number;
    const auto bottom = finality_.bottom(view.finalized, number);
    if (!bottom) co_return err(RpcError{RpcError::Kind::no_evidence, "the finalized block is unknown"});
    const auto lowest = std::min(lowest_kept({.finalized = bottom}, number), number);
    auto blocks = co_await ancestors_.below(view.head->ref, lowest);
    if (blocks) blocks->push_back(view.head);
    co_return blocks;
}

void BlockFollower::start_over(const Blocks& blocks, const View& view) {
    BlockWindow window;
    window.replace(blocks);
    streams_.replace(blocks, finality_.update(view.safe, view.finalized, window.chain()));
}

Task<Status<RpcError>> BlockFollower::begin(View view) {
    const auto blocks = co_await whole_window(view);
    if (!blocks) co_return err(blocks.error());
    start_over(*blocks, view);
    co_return Status<RpcError>{};
}

// Adopts an unknown head that is at least as high as ours.
Task<Status<RpcError>> BlockFollower::join(View view) {
    const bool far = view.head->ref.number.above(chain().head()->number) >= options_.max_window;
    if (far) co_return co_await leave_window(view, true);
    auto branch = co_await branch_to(view.head);
    if (!branch) co_return err(branch.error());
    auto change = streams_.adopt(*branch);
    if (!change) co_return co_await leave_window(view, false);
    const auto settled = finality_.update(view.safe, view.finalized, chain());
    streams_.publish(std::move(*change), settled, lowest_kept(settled, chain().head()->number));
    co_return Status<RpcError>{};
}

// From the head down to a block that links to our window, or to the bottom of the window.
Task<RpcResult<Blocks>> BlockFollower::branch_to(BlockPtr head) {
    Blocks branch{std::move(head)};
    const auto oldest = chain().oldest()->number;
    const auto ours = chain().head()->number;
    for (auto step = first_step_down;; step *= 2) {
        const auto lowest = branch.front()->ref;
        const auto* below = lowest.number.value() == 0 ? nullptr : chain().at(BlockNumber(lowest.number.value() - 1));
        if (below != nullptr && below->hash == lowest.parent) break;
        if (lowest.number <= oldest) break;
        auto target = lowest.number > ours.next()
                          ? ours.next()
                          : BlockNumber(lowest.number.value() - std::min(step, lowest.number.above(oldest)));
        target = std::max(target, oldest);
        auto more = co_await ancestors_.below(lowest, target);
        if (!more) co_return err(more.error());
        branch.insert(branch.begin(), more->begin(), more->end());
        if (chain().contains(branch.front()->ref)) break;
    }
    co_return branch;
}

// The head does not link to our window: either the chain grew past it, or it forked below it.
Task<Status<RpcError>> BlockFollower::leave_window(View view, bool may_be_the_same) {
    const auto ours = *chain().oldest();
    std::vector<Request> batch{block_at(write_number(ours.number))};
    const auto answers = co_await rpc_.read(std::move(batch), Evidence{chain().head()->number, options_.agreeing});
    FP_ASSERT(answers.size() == 1);
    const auto theirs = read_answer(answers.front(), read_block);
    if (!theirs) co_return err(theirs.error());
    const bool same = *theirs && (*theirs)->ref.hash == ours.hash;
    if (!*theirs || (same && !may_be_the_same)) {
        co_return err(RpcError{RpcError::Kind::no_evidence, "endpoints do not agree where the chain forked"});
    }
    const auto blocks = co_await whole_window(view);
    if (!blocks) co_return err(blocks.error());
    if (same) {
        log_.write(Severity::info, "Chain grew past the window, restarting at its head",
                   {{"chain", options_.chain}, {"head", text_of(view.head->ref.number)}});
    } else {
        finality_.restart();
        log_.write(Severity::alert,
                   "Chain reorganised below the window (usually finalized blocks), restarting on the new branch",
                   {{"chain", options_.chain},
                    {"block", text_of(ours.number)},
                    {"was", to_hex_prefixed(ours.hash.view())},
                    {"is", to_hex_prefixed((*theirs)->ref.hash.view())},
                    {"head", text_of(view.head->ref.number)}});
    }
    start_over(*blocks, view);
    co_return Status<RpcError>{};
}

void BlockFollower::settle(const View& view) {
    const auto settled = finality_.update(view.safe, view.finalized, chain());
    streams_.publish({}, settled, lowest_kept(settled, chain().head()->number));
}

void BlockFollower::warn_of_lower_head(const BlockRef& head) {
    const auto now = clock_.monotonic();
    if (!lower_since_) {
        lower_since_ = now;
        warned_of_lower_ = false;
    }
    if (warned_of_lower_ || now - *lower_since_ < options_.lower_head_warning_after) return;
    warned_of_lower_ = true;
    log_.write(
        Severity::warning, "Head of endpoints stays below ours on another branch, not adopted until it is as high",
        {{"chain", options_.chain}, {"theirs", text_of(head.number)}, {"ours", text_of(chain().head()->number)}});
}

void BlockFollower::log_unsupported_tags() {
    for (const auto tag : finality_.newly_unsupported()) {
        log_.write(Severity::info, "Chain does not support block tag, using depth instead",
                   {{"chain", options_.chain}, {"tag", std::string(tag)}});
    }
}

void BlockFollower::log_state_change(const Status<RpcError>& outcome) {
    if (std::exchange(failing_, !outcome) == !outcome) return;
    if (outcome) {
        log_.write(Severity::info, "Head of chain followed again", {{"chain", options_.chain}});
        return;
    }
    log_.write(Severity::warning, "Head of chain cannot be followed, retrying",
               {{"chain", options_.chain},
                {"error", std::string(name_of(outcome.error().kind))},
                {"what", outcome.error().what}});
}

}  // namespace fencepost::evm
