#include "sim/lease_database.hpp"

#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;

// Most requests take milliseconds; one in forty sits in a slow backend's socket for longer than a lease.
Duration latency(Random& random) {
    return random.one_in(40) ? Duration(random.below(30'000) * 1ms) : Duration(random.below(20) * 1ms);
}

}  // namespace

LeaseDatabase::LeaseDatabase(World& world, const FenceSettings& settings, FenceReport& report)
    : world_(world),
      process_(world.start_node("database")),
      clock_(process_),
      random_(world.random().fork()),
      settings_(settings),
      report_(report) {}

template <typename T, typename Execute>
Task<void> LeaseDatabase::serve(Execute execute, std::shared_ptr<Reply<T>> reply) {
    co_await clock_.sleep_for(latency(random_));
    const T answer = execute(*this);
    co_await clock_.sleep_for(latency(random_));
    // A dead client's executor drops this.
    asio::post(reply->get_executor(), [reply, answer] { reply->try_send(boost::system::error_code{}, answer); });
}

template <typename T, typename Execute>
Task<std::optional<T>> LeaseDatabase::ask(SimNode* client, Execute execute) {
    const auto reply = std::make_shared<Reply<T>>(fencepost::Executor(client->executor()), 1);
    world_.spawn(process_, serve<T>(std::move(execute), reply));
    SimClock client_clock(*client);
    auto answer = co_await (reply->async_receive(asio::use_awaitable) || client_clock.sleep_for(patience));
    if (answer.index() == 0) co_return std::get<0>(std::move(answer));
    ++report_.answers_given_up;
    co_return std::nullopt;
}

Task<std::optional<LeaseDatabase::Opened>> LeaseDatabase::open(SimNode* client, NodeId node) {
    return ask<Opened>(client, [node = std::move(node)](LeaseDatabase& self) { return self.execute_open(node); });
}

Task<std::optional<bool>> LeaseDatabase::renew(SimNode* client, Fence fence) {
    return ask<bool>(client, [fence = std::move(fence)](LeaseDatabase& self) {
        const auto change = renew_lease(self.lease_, fence, self.world_.unix_now(), self.settings_.lease);
        self.lease_ = change.lease;
        return change.result == LeaseResult::renewed;
    });
}

Task<std::optional<bool>> LeaseDatabase::write(SimNode* client, Fence fence, std::uint64_t counter) {
    return ask<bool>(client, [fence = std::move(fence), counter](LeaseDatabase& self) {
        return self.execute_write(fence, counter);
    });
}

LeaseDatabase::Opened LeaseDatabase::execute_open(const NodeId& node) {
    const auto before = lease_;
    const auto change = open_lease(lease_, node, world_.unix_now(), settings_.lease);
    lease_ = change.lease;
    if (change.result == LeaseResult::reopened && settings_.mutant == FenceMutant::token_kept_on_reopening) {
        lease_->token = before->token;
    }
    if (change.result != LeaseResult::not_owner) {
        ++report_.openings;
        newest_opening_ = lease_->token;
    }
    return {change.result, lease_->token, counter_};
}

bool LeaseDatabase::execute_write(const Fence& fence, std::uint64_t counter) {
    const bool fence_holds = holds(lease_, fence, world_.unix_now());
    if (!fence_holds && settings_.mutant != FenceMutant::no_fence) {
        ++report_.writes_fenced;
        return false;
    }
    if (fence.token != newest_opening_) {
        violated(fmt::format("a write of {} under token {} landed after token {} was opened", fence.node, fence.token,
                             newest_opening_));
    }
    if (counter != counter_ + 1) {
        violated(fmt::format("{} under token {} wrote {} over {}: it had not seen the write before its own", fence.node,
                             fence.token, counter, counter_));
    }
    counter_ = counter;
    ++report_.writes_applied;
    world_.note(fmt::format("write {} {} {}", fence.node, fence.token, counter));
    return true;
}

void LeaseDatabase::violated(std::string what) {
    report_.violations.push_back(fmt::format("{}: {}", to_rfc3339(world_.unix_now()), what));
}

}  // namespace fencepost::sim
