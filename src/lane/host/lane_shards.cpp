#include "lane/host/lane_shards.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/post.hpp>

#include "base/assert.hpp"
#include "base/crypto/stable_hash.hpp"

namespace fencepost::lane {
namespace {

constexpr Duration drain_poll_interval = std::chrono::milliseconds(20);

using Lanes = std::vector<OpenLane>;
using Answer = asio::experimental::channel<void(boost::system::error_code, HostReport)>;

// Posts to the shard and back explicitly: cancelling a coroutine on another thread is a race in Boost 1.81. A caller
// that gives up only leaves an unread answer. The shard returns its reference to the channel with the report, because a
// channel must not be destroyed on a thread that may outlive its context.
void ask(const LaneShards::Shard& shard, std::shared_ptr<Answer> answer) {
    asio::post(shard.executor, [host = shard.host, answer = std::move(answer)]() mutable {
        const auto asker = answer->get_executor();
        asio::post(asker, [answer = std::move(answer), report = host->report()]() mutable {
            answer->try_send(boost::system::error_code{}, std::move(report));
        });
    });
}

}  // namespace

std::size_t shard_of(const SubmitterId& submitter, std::size_t shards) {
    FP_ASSERT(shards > 0);
    return stable_hash(submitter.to_string()) % shards;
}

LaneShards::LaneShards(std::vector<Shard> shards) : shards_(std::move(shards)) {
    FP_ASSERT(!shards_.empty(), "a node needs at least one shard");
}

const LaneShards::Shard& LaneShards::shard_for(const SubmitterId& submitter) const {
    return shards_[shard_of(submitter, shards_.size())];
}

void LaneShards::open(const SubmitterId& submitter, const LaneOptions& options) const {
    const auto& shard = shard_for(submitter);
    asio::post(shard.executor, [host = shard.host, submitter, options] { host->open(submitter, options); });
}

void LaneShards::wake(const SubmitterId& submitter) const {
    const auto& shard = shard_for(submitter);
    asio::post(shard.executor, [host = shard.host, submitter] { host->wake(submitter); });
}

void LaneShards::release(const SubmitterId& submitter) const {
    const auto& shard = shard_for(submitter);
    asio::post(shard.executor, [host = shard.host, submitter] { host->release(submitter); });
}

Task<std::vector<HostReport>> LaneShards::reports() const {
    const auto answer = std::make_shared<Answer>(co_await asio::this_coro::executor, shards_.size());
    for (const auto& shard : shards_)
        ask(shard, answer);
    std::vector<HostReport> all;
    all.reserve(shards_.size());
    for (std::size_t i = 0; i < shards_.size(); ++i)
        all.push_back(co_await answer->async_receive(asio::use_awaitable));
    co_return all;
}

Task<Lanes> LaneShards::open_lanes() const {
    Lanes all;
    for (auto& report : co_await reports())
        all.insert(all.end(), report.lanes.begin(), report.lanes.end());
    co_return all;
}

// Polls instead of waiting inside the shards: a task there would have two owners.
Task<void> LaneShards::release_all(Clock* clock) const {
    while (true) {
        for (const auto& shard : shards_)
            asio::post(shard.executor, [host = shard.host] { host->release_lanes(); });
        if ((co_await open_lanes()).empty()) co_return;
        co_await clock->sleep_for(drain_poll_interval);
    }
}

}  // namespace fencepost::lane
