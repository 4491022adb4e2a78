// Starts node, store and lanes, and runs a test on them.
#include "real_world.hpp"

#include <stdexcept>

#include <boost/asio/co_spawn.hpp>

#include "base/async/task_group.hpp"
#include "jsonrpc/http_json_rpc.hpp"

namespace fencepost::integration {
namespace {

using namespace std::chrono_literals;

std::vector<codec::PrivateKey> keys(std::size_t count) {
    std::vector<codec::PrivateKey> keys;
    keys.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        keys.push_back(key_of(i));
    return keys;
}

}  // namespace

codec::PrivateKey key_of(std::size_t number) {
    Bytes bytes(32, 0x11);
    bytes[30] = static_cast<std::uint8_t>(number / 256);
    bytes[31] = static_cast<std::uint8_t>(number % 256);
    return codec::PrivateKey::from_bytes(bytes).value();
}

RealWorld::RealWorld(const WorldOptions& options)
    : node_(options.node),
      dev_(context_.get_executor(), clock_, node_),
      store_(open_store(options.store)),
      chain_(context_.get_executor(), clock_, log_, telemetry_, ChainRef::evm(test::DevNode::chain_id), connections(),
             {.pool = {.time_limit = 5s}, .follower = {.poll_interval = 50ms}}),
      signer_(keys(options.accounts)),
      host_(context_.get_executor(), NodeId("node-1"),
            {.leases = store(),
             .store = store(),
             .commands = store(),
             .headers = store(),
             .signer = signer_,
             .builder = builder_,
             .clock = clock_,
             .telemetry = telemetry_,
             .log = log_}) {
    host_.add_chain(chain_);
    for (std::size_t i = 0; i < options.accounts; ++i)
        submitters_.push_back(SubmitterId::evm(test::DevNode::chain_id, key_of(i).address()));
}

RealWorld::~RealWorld() = default;

void RealWorld::run(Task<void> body) {
    std::exception_ptr failed;
    asio::co_spawn(context_, live(std::move(body)), [&](const std::exception_ptr& error) { failed = error; });
    context_.run();
    if (failed) std::rethrow_exception(failed);
}

Task<void> RealWorld::live(Task<void> body) {
    co_await dev_.start();
    co_await dev_.set_automine(false);
    for (const auto& submitter : submitters_)
        co_await dev_.fund(std::string(submitter.account()), Uint256::parse("1000000000000000000000000").value());
    co_await dev_.mine(5);
    TaskGroup beside(context_.get_executor());
    beside.spawn(chain_.run());
    beside.spawn(host_.run());
    std::exception_ptr failed;
    try {
        co_await std::move(body);
        co_await host_.release_all();
    } catch (...) {
        failed = std::current_exception();
    }
    beside.cancel();
    co_await beside.join();
    if (failed) std::rethrow_exception(failed);
}

std::unique_ptr<contract::StoreUnderTest> RealWorld::open_store(const char* name) {
    for (const auto& named : contract::all_stores())
        if (named.name == std::string_view(name)) return named.make(context_.get_executor(), clock_, random_);
    throw std::logic_error("no such store");
}

evm::Connections RealWorld::connections() {
    evm::Connections result;
    result.endpoints.push_back(
        {"node", std::make_unique<jsonrpc::HttpJsonRpc>(
                     context_.get_executor(), clock_,
                     jsonrpc::HttpJsonRpcOptions{.url = jsonrpc::Url::parse(node_.url()).value()})});
    return result;
}

}  // namespace fencepost::integration
