// Drives one lane on a real node, with deadlines.
#include "real_lane.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::integration {

using namespace std::chrono_literals;

lane::LaneOptions fast_options() {
    lane::LaneOptions options;
    options.confirmations_required = 3;
    options.resubmit_interval = 300ms;
    options.resubmit.max_attempts = 1'000;
    options.bump.min_interval = 300ms;
    options.stale_receipt_timeout = 300ms;
    options.max_backoff = 300ms;
    options.reconcile_interval = 300ms;
    options.poll_interval = 100ms;
    return options;
}

lane::LaneOptions without_resends() {
    auto options = fast_options();
    options.resubmit_interval = 10min;
    options.bump.min_interval = 10min;
    return options;
}

Intent transfer() { return {.to = "0x00000000000000000000000000000000000000aa", .value = Wei(1)}; }

Intent transfer_at(std::uint64_t max_fee_gwei) {
    auto intent = transfer();
    intent.fee = Fees(DynamicFee{Wei(Uint256(max_fee_gwei * gwei)), Wei(Uint256(gwei))});
    return intent;
}

RealLane::RealLane(const lane::LaneOptions& options, test::DevNodeKind node)
    : world_({.node = node}),
      options_(options) {}

void RealLane::run(Task<void> body) { world_.run(open_and(std::move(body))); }

Task<void> RealLane::open_and(Task<void> body) {
    open();
    co_await std::move(body);
}

Task<void> RealLane::close() {
    world_.host().release(alice());
    const auto give_up = deadline();
    while (world_.host().is_open(alice()))
        co_await pause(give_up, "the lane is closed");
}

Task<AcceptAnswer> RealLane::offer(Intent intent) {
    std::vector<NewIntent> batch;
    batch.push_back({world_.new_id(), alice(), std::nullopt, std::move(intent)});
    const auto answers = co_await world_.store().accept(std::move(batch));
    world_.host().wake(alice());
    co_return answers.value().at(0);
}

Task<TxId> RealLane::accept(Intent intent) {
    const auto answer = co_await offer(std::move(intent));
    if (answer.kind != AcceptKind::accepted) throw std::runtime_error("not accepted: " + answer.reason);
    co_return answer.id;
}

Task<TxId> RealLane::send(Intent intent) {
    const auto tx = co_await accept(std::move(intent));
    co_await until_tracking(tx);
    co_return tx;
}

Task<void> RealLane::cancel(TxId tx) { return post(CommandKind::cancel, tx); }

Task<void> RealLane::unprotect() {
    co_await post(CommandKind::unprotect, std::nullopt);
    const auto give_up = deadline();
    while (!(co_await world_.store().pending(alice())).value().empty())
        co_await pause(give_up, "the command is done");
}

Task<void> RealLane::post(CommandKind kind, std::optional<TxId> tx) {
    const auto posted = co_await world_.store().post(
        {.sequence = {}, .submitter = alice(), .kind = kind, .tx = tx, .requested_by = "test", .reason = "asked"});
    if (!posted) throw std::runtime_error("a command could not be posted");
    world_.host().wake(alice());
}

Task<lane::UnprotectPlan> RealLane::plan_unprotect() {
    const auto state = (co_await world_.store().load(alice())).value();
    const auto queue = (co_await world_.store().head_of_queue(alice(), {}, 100)).value();
    const auto counts = (co_await world_.chain().counts(alice())).value();
    const auto finalized = (co_await world_.chain().transaction_count(alice(), At::finalized)).value();
    co_return lane::plan_unprotect(lane::stopped_submitter(state, queue), {counts, finalized});
}

// Two epochs of 32 slots, as anvil counts them.
Task<void> RealLane::mine_until_final() { return mine(66); }

Task<void> RealLane::set_base_fee(std::uint64_t gwei_of_next_block) {
    boost::json::array params{Uint256(gwei_of_next_block * gwei).to_quantity()};
    co_await world_.dev().call("hardhat_setNextBlockBaseFeePerGas", std::move(params));
}

Task<void> RealLane::evict(TxHash hash) { return world_.dev().drop(to_hex_prefixed(hash.view())); }

Task<void> RealLane::submit_attempt(Attempt attempt) {
    std::exception_ptr refused;
    try {
        boost::json::array params{to_hex_prefixed(attempt.raw)};
        co_await world_.dev().call("eth_sendRawTransaction", std::move(params));
    } catch (const std::runtime_error&) {
        refused = std::current_exception();
    }
    // The lane may have been faster, and then the node has it.
    if (refused && !co_await is_held(attempt.hash)) std::rethrow_exception(refused);
}

Task<void> RealLane::mine_older_attempt(Attempt older, Attempt newer) {
    co_await evict(newer.hash);
    co_await submit_attempt(std::move(older));
    co_await mine();
}

Task<TxHash> RealLane::send_externally(Nonce nonce, std::uint64_t tip_gwei) {
    constexpr auto* program = FENCEPOST_SOURCE_DIR "/tests/node/outside.mjs";
    const test::TempFolder folder;
    const auto output = (folder.path() / "output").string();
    test::ChildProcess ethers(
        {"/usr/bin/env", "node", program, world_.node().url(), to_hex_prefixed(key_of(0).expose_secret()),
         fmt::format("{}", nonce), fmt::format("{}", tip_gwei)},
        {.log = output});
    // The lane continues meanwhile, as it would.
    const auto give_up = deadline();
    while (!ethers.has_ended())
        co_await pause(give_up, "ethers has sent its transaction");
    auto text = test::text_of(output);
    if (ethers.wait() != 0) throw std::runtime_error(text);
    text.erase(text.find_last_not_of('\n') + 1);
    co_return TxHash::from(from_hex(text).value()).value();
}

Task<bool> RealLane::is_mined(TxHash hash) { return finds("eth_getTransactionReceipt", hash); }
Task<bool> RealLane::is_held(TxHash hash) { return finds("eth_getTransactionByHash", hash); }

Task<bool> RealLane::finds(std::string method, TxHash hash) {
    boost::json::array params{to_hex_prefixed(hash.view())};
    const auto found = co_await world_.dev().call(std::move(method), std::move(params));
    co_return !found.is_null();
}

Task<TxView> RealLane::view(TxId tx) {
    auto found = (co_await world_.store().by_id(tx)).value();
    co_return std::move(found).value();
}

Task<std::vector<Attempt>> RealLane::attempts(TxId tx) { co_return (co_await world_.store().attempts(tx)).value(); }

Task<std::optional<TxId>> RealLane::by_hash(TxHash hash) {
    const auto found = (co_await world_.store().by_hash(hash)).value();
    co_return found ? std::optional(found->id) : std::nullopt;
}

Task<SubmitterView> RealLane::submitter() { co_return (co_await world_.store().submitter(alice())).value(); }

Task<TxView> RealLane::until(TxId tx, std::string what, Condition holds) {
    const auto give_up = deadline();
    while (true) {
        auto seen = co_await view(tx);
        if (holds(seen)) co_return seen;
        co_await pause(give_up, fmt::format("{} (it is {} {}, sent {} times, {})", what, name_of(seen.position.state),
                                            name_of(seen.position.sub), seen.submit_attempts, seen.error));
    }
}

Task<TxView> RealLane::until_tracking(TxId tx) {
    return until(tx, "the node has it", [](const TxView& seen) { return seen.position.state == State::tracking; });
}

Task<TxView> RealLane::until_mined(TxId tx) {
    return until(tx, "its receipt is on record", [](const TxView& seen) { return seen.receipt.has_value(); });
}

Task<std::vector<Attempt>> RealLane::until_attempts(TxId tx, std::size_t count) {
    const auto give_up = deadline();
    while (true) {
        auto made = co_await attempts(tx);
        if (made.size() >= count) co_return made;
        co_await pause(give_up, fmt::format("it has {} attempts", count));
    }
}

Task<std::vector<Attempt>> RealLane::until_replaced(TxId tx, std::size_t count) {
    const auto made = co_await until_attempts(tx, count);
    const auto give_up = deadline();
    while (!co_await is_held(made.back().hash))
        co_await pause(give_up, "the node has its last attempt");
    co_return made;
}

Task<SubmitterView> RealLane::until_protected() {
    const auto give_up = deadline();
    while (true) {
        auto seen = co_await submitter();
        if (seen.status.status == SubmitterStatus::protect) co_return seen;
        co_await pause(give_up, "the submitter is stopped");
    }
}

Task<void> RealLane::settle(std::vector<TxId> ids) {
    const auto give_up = deadline();
    for (const auto& id : ids) {
        while (!is_final((co_await view(id)).position.state)) {
            co_await mine();
            co_await pause(give_up, fmt::format("{} is final", id));
        }
    }
}

Instant RealLane::deadline() { return world_.clock().monotonic() + 60s; }

Task<void> RealLane::pause(Instant deadline, std::string what) {
    if (world_.clock().monotonic() > deadline) throw std::runtime_error("timed out waiting until " + what);
    co_await world_.clock().sleep_for(10ms);
}

}  // namespace fencepost::integration
