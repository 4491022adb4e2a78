#include "devchain/dev_chain.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/async/task_group.hpp"
#include "base/startup_error.hpp"
#include "devchain/dev_accounts.hpp"
#include "devchain/dev_ledger.hpp"
#include "devchain/journal.hpp"
#include "devchain/rpc_dispatcher.hpp"
#include "http/router.hpp"
#include "http/server.hpp"

namespace fencepost::devchain {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_request_bytes = std::size_t{16} * 1024 * 1024;
// How soon a journal failure is noticed when blocks are not mined by time.
constexpr Duration journal_check_interval = 1s;

std::unique_ptr<Journal> open_journal(const DevChainOptions& options, const Genesis& genesis) {
    if (!options.data) return nullptr;
    std::error_code error;
    std::filesystem::create_directories(*options.data, error);
    if (error) throw StartupError(fmt::format("{} cannot be created: {}", options.data->string(), error.message()));
    return std::make_unique<Journal>(*options.data / "chain.log", genesis);
}

}  // namespace

struct DevChain::Impl {
    Impl(const Executor& executor, Clock& time, DevChainOptions given)
        : options(std::move(given)),
          clock(time),
          journal(open_journal(options, {.chain_id = options.chain_id, .at = clock.unix_now()})),
          ledger(journal ? journal->genesis() : Genesis{.chain_id = options.chain_id, .at = clock.unix_now()}),
          dispatcher(ledger, clock, options.block_time == 0s),
          router(make_router()),
          server(
              executor, clock, router,
              {.listen = options.listen, .request = {.body_bytes = max_request_bytes}, .on_fault = options.on_fault}) {
        if (journal) replay();
        if (journal) ledger.on_change([this](const Operation& operation) { journal->append(operation); });
        for (const auto& account : dev_accounts())
            fund(account);
    }

    void replay() {
        for (const auto& operation : journal->take_history()) {
            const auto same = ledger.replay(operation);
            if (same) continue;
            throw StartupError(fmt::format("{}: {}; move the folder away to start a new chain", options.data->string(),
                                           same.error().what));
        }
    }

    // Only if the account is unused, so that a restart repeats nothing. This also completes a first start that was
    // killed half-way.
    void fund(const Address& account) {
        const auto known = ledger.head().state->account(account);
        if (known.balance.is_zero() && known.nonce == Nonce(0)) ledger.fund(account, dev_funds());
    }

    http::Router make_router() {
        http::Router made;
        made.add({http::Method::post, "/", [this](http::Request request) { return answer(std::move(request)); }});
        return made;
    }

    Task<http::Response> answer(http::Request request) {
        co_return http::Response{.content_type = "application/json", .body = dispatcher.answer(request.body)};
    }

    Task<void> make_blocks() {
        const bool by_time = options.block_time > 0s;
        auto next = clock.monotonic();
        for (;;) {
            // Keeps the schedule, but does not make up for missed blocks.
            next = std::max(next + (by_time ? options.block_time : journal_check_interval), clock.monotonic());
            co_await clock.sleep_until(next);
            if (by_time) ledger.mine(clock.unix_now());
            if (!journal) continue;
            journal->sync();
            if (journal->failure()) throw StartupError(*journal->failure());
        }
    }

    DevChainOptions options;
    Clock& clock;
    std::unique_ptr<Journal> journal;
    DevLedger ledger;
    RpcDispatcher dispatcher;
    http::Router router;
    http::Server server;
};

DevChain::DevChain(const Executor& executor, Clock& clock, DevChainOptions options)
    : impl_(std::make_unique<Impl>(executor, clock, std::move(options))) {}
DevChain::~DevChain() = default;

http::ListenAddress DevChain::address() const { return impl_->server.address(); }
std::uint64_t DevChain::chain_id() const { return impl_->ledger.chain_id(); }
std::uint64_t DevChain::height() const { return impl_->ledger.head().number().value(); }

Task<void> DevChain::run() {
    TaskGroup tasks(co_await asio::this_coro::executor);
    tasks.spawn(impl_->server.run());
    tasks.spawn(impl_->make_blocks());
    co_await tasks.join();
}

}  // namespace fencepost::devchain
