#include "demo/demo.hpp"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <unistd.h>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "base/async/task_group.hpp"
#include "base/startup_error.hpp"
#include "base/text/hex.hpp"
#include "cli/paint.hpp"
#include "config/load.hpp"
#include "demo/remote_chain.hpp"
#include "demo/sample_client.hpp"
#include "demo/samples.hpp"
#include "demo/watcher.hpp"
#include "devchain/dev_accounts.hpp"
#include "devchain/dev_chain.hpp"
#include "devchain/dev_contracts.hpp"
#include "node/node.hpp"
#include "run_task.hpp"
#include "stop_signal.hpp"
#include "system/descriptor_limit.hpp"
#include "system/system_clock.hpp"

namespace fencepost::demo {
namespace {

/// The chain that the demo runs on: built-in or external.
struct ChainInUse {
    std::uint64_t id = 0;
    std::string url;
    /// Each chain has its own database, because chains with the same id may have different nonces.
    std::string database;
    SampleTargets targets;
};

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw StartupError(fmt::format("--data: {} cannot be created: {}", folder, error.message()));
}

SampleTargets devchain_targets() {
    return {.accounts = devchain::dev_accounts(),
            .token = devchain::token_contract(),
            .failing = devchain::refusing_contract()};
}

// Targets that exist on every EVM chain: a call to an address without code does nothing and succeeds; the compression
// function at address 9 (EIP-152) fails for input of any other length than 213 bytes.
SampleTargets generic_targets() {
    Address token;
    token.data.fill(0x77);
    Address compression;
    compression.data.back() = 9;
    return {.accounts = devchain::dev_accounts(), .token = token, .failing = compression};
}

ChainInUse built_in(const devchain::DevChain& chain) {
    return {.id = chain.chain_id(),
            .url = "http://" + chain.address().to_string(),
            .database = "fencepost.db",
            .targets = devchain_targets()};
}

ChainInUse external_chain(const std::string& url) {
    const auto parsed = jsonrpc::Url::parse(url);
    if (!parsed) throw StartupError("--rpc: " + parsed.error().what);
    const auto chain = ask_chain(*parsed);
    return {.id = chain.id,
            .url = url,
            .database = fmt::format("fencepost-{}.db", to_hex(chain.genesis.view().first(4))),
            .targets = chain.is_devchain ? devchain_targets() : generic_targets()};
}

config::Config configure(const DemoOptions& options, const ChainInUse& chain) {
    auto loaded = config::load(
        {.arguments = {"--listen=" + options.listen.to_string(), "--node.name=demo",
                       "--database.url=sqlite:" + (std::filesystem::path(options.data) / chain.database).string(),
                       fmt::format("--chains.demo.id={}", chain.id), "--chains.demo.rpc.url=" + chain.url,
                       "--heads.pollInterval=200ms",
                       fmt::format("--confirmations.required={}", options.confirmations)}});
    if (!loaded) throw StartupError(loaded.error().front().to_string());
    return std::move(loaded->config);
}

std::vector<codec::PrivateKey> known_keys() {
    std::vector<codec::PrivateKey> keys;
    keys.reserve(devchain::dev_account_keys.size());
    for (const auto key : devchain::dev_account_keys)
        keys.push_back(codec::PrivateKey::from_hex(key).value());
    return keys;
}

int open_log(const std::string& folder) {
    const auto name = (std::filesystem::path(folder) / "fencepost.log").string();
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) throw StartupError(fmt::format("--data: {} cannot be written", name));
    return descriptor;
}

void print_line(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

class Demo {
public:
    explicit Demo(const DemoOptions& options)
        : options_(options),
          log_(open_log(options.data)),
          chain_(make_chain()),
          in_use_(chain_ ? built_in(*chain_) : external_chain(options.rpc)),
          node_(context_, configure(options, in_use_), {.keys = known_keys(), .log_descriptor = log_}),
          watcher_(node_.store(), clock_,
                   {.since = clock_.unix_now(), .colours = cli::Screen::of_this_process().paint.colours},
                   [this](const std::string& line) {
                       if (!options_.quiet) print_line(line);
                   }),
          sample_client_(context_.get_executor(), clock_, node_.store(), node_.url(), in_use_.id),
          background_(context_.get_executor()),
          chain_tasks_(context_.get_executor()),
          signal_(context_) {}
    ~Demo() { ::close(log_); }
    Demo(const Demo&) = delete;
    Demo& operator=(const Demo&) = delete;

    void run() {
        // Printed after the signal handlers are installed: a reader of this line may stop the process.
        print_line(fmt::format("fencepost {} demo serving on {} (Ctrl-C to stop)", FENCEPOST_VERSION, url()));
        run_task(context_, work());
    }

private:
    std::unique_ptr<devchain::DevChain> make_chain() {
        if (!options_.rpc.empty()) return nullptr;
        return std::make_unique<devchain::DevChain>(
            context_.get_executor(), clock_,
            devchain::DevChainOptions{.listen = {.host = "127.0.0.1", .port = 0},
                                      .data = std::filesystem::path(options_.data) / "chain",
                                      .block_time = options_.block_time});
    }

    [[nodiscard]] std::string url() const { return node_.url(); }

    // The chain stops last, because a stopping node still queries it.
    Task<void> work() {
        if (chain_) chain_tasks_.spawn(run_chain());
        background_.spawn(watcher_.run());
        background_.spawn(show());
        std::exception_ptr failed;
        try {
            co_await signal_.run(node_.run(), [this] { node_.stop(); });
        } catch (...) {
            failed = std::current_exception();
        }
        background_.cancel();
        co_await background_.join();
        chain_tasks_.cancel();
        co_await chain_tasks_.join();
        if (failed) std::rethrow_exception(failed);
    }

    Task<void> run_chain() {
        std::exception_ptr failed;
        try {
            co_await chain_->run();
        } catch (...) {
            failed = std::current_exception();
        }
        node_.stop();
        if (failed) std::rethrow_exception(failed);
    }

    Task<void> show() {
        const auto run = co_await new_run();
        const auto samples = make_samples(in_use_.targets, run, options_.samples);
        if (!options_.quiet && !samples.empty()) print_samples(samples);
        std::set<std::string> names;
        std::vector<Sample> to_cancel;
        for (const auto& sample : samples) {
            if (!co_await sample_client_.submit(sample)) continue;
            names.insert(sample.request_id);
            if (sample.is_cancelled) to_cancel.push_back(sample);
        }
        for (const auto& sample : to_cancel)
            co_await sample_client_.cancel_once_sent(sample);
        co_await watcher_.settled(std::move(names));
        if (!options_.quiet) print_examples(run);
    }

    // The first run number whose sample requests and example request are not in the database yet.
    Task<std::size_t> new_run() {
        for (std::size_t run = 1;; ++run) {
            const auto first = make_samples(in_use_.targets, run, 1).front();
            const auto submitter = SubmitterId::evm(in_use_.id, first.submitter);
            if (co_await is_known(submitter, first.request_id)) continue;
            if (co_await is_known(submitter, example_request_id(run))) continue;
            co_return run;
        }
    }

    Task<bool> is_known(SubmitterId submitter, std::string request_id) {
        const auto found = co_await node_.store().by_request(submitter, RequestId(request_id));
        co_return found && *found;
    }

    void print_samples(const std::vector<Sample>& samples) const {
        print_line("");
        for (const auto& sample : samples)
            print_line(fmt::format("  {:<14} {}", sample.request_id, sample.what));
        print_line("");
    }

    void print_examples(std::size_t run) const {
        print_line(
            fmt::format("\n{5}Try these commands in another terminal:\n\n"
                        "  curl '{0}/api/v1/tx?limit=5'\n"
                        "  curl {0}/api/v1/tx -H 'Content-Type: application/json' -d '{1}'\n\n"
                        "The chain has the id {2} and the URL {3}; the node's log is {4}.\n"
                        "Ctrl-C stops the demo; the next start continues with the same data.",
                        url(), example_body(in_use_.targets, run), in_use_.id, in_use_.url,
                        (std::filesystem::path(options_.data) / "fencepost.log").string(),
                        options_.samples == 0 ? "" : "All transactions above were submitted through the API. "));
    }

    const DemoOptions& options_;
    SystemClock clock_;
    asio::io_context context_{1};
    int log_;
    std::unique_ptr<devchain::DevChain> chain_;
    ChainInUse in_use_;
    node::Node node_;
    Watcher watcher_;
    SampleClient sample_client_;
    TaskGroup background_;
    TaskGroup chain_tasks_;
    StopSignal signal_;
};

}  // namespace

void run_demo(const DemoOptions& options) {
    raise_descriptor_limit();
    make_folder(options.data);
    Demo(options).run();
}

}  // namespace fencepost::demo
