#include "cluster/registry.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "lane/host/time_limit.hpp"

namespace fencepost::cluster {

Registry::Registry(const Executor& executor, NodeId self, std::string address, Nodes& nodes, Clock& clock,
                   RegistryOptions options)
    : self_(std::move(self)),
      address_(std::move(address)),
      nodes_(nodes),
      clock_(clock),
      options_(options),
      sent_(executor) {}

Task<void> Registry::send_heartbeat() {
    struct Beating {
        Registry& self;
        ~Beating() {
            self.sending_ = false;
            self.sent_.notify();
        }
    };
    const Beating beating{*this};
    sending_ = true;
    std::ignore = co_await lane::run_within(&clock_, options_.heartbeat_timeout, send_one_heartbeat());
}

// A lost heartbeat is made up for by the next one.
Task<void> Registry::send_one_heartbeat() { std::ignore = co_await nodes_.heartbeat(self_, address_, ability_); }

Task<void> Registry::run() {
    while (!left_) {
        co_await send_heartbeat();
        co_await clock_.sleep_for(options_.heartbeat_every);
    }
}

Task<Result<std::vector<Peer>, StoreError>> Registry::live() {
    const auto nodes = co_await nodes_.live(options_.live_within);
    if (!nodes) co_return err(nodes.error());
    // The newest heartbeat, usually our own, approximates the database's current time.
    UnixTime newest = UnixTime::min();
    for (const auto& node : *nodes)
        newest = std::max(newest, node.heartbeat_at);
    const auto still_fresh = std::chrono::duration_cast<std::chrono::microseconds>(options_.heartbeat_every * 5 / 2);
    std::vector<Peer> peers;
    for (const auto& node : *nodes) {
        if (node.id != self_) peers.push_back({node.id, newest - node.heartbeat_at <= still_fresh, node.ability});
    }
    const auto place = std::ranges::lower_bound(peers, self_, {}, &Peer::id);
    peers.insert(place, {self_, true, ability_});
    co_return peers;
}

Task<void> Registry::leave() {
    left_ = true;
    // A heartbeat in flight could reach the database last, and register the node again.
    while (sending_)
        co_await sent_.wait();
    static_cast<void>(co_await nodes_.leave(self_));
}

}  // namespace fencepost::cluster
