#include "demo/remote_chain.hpp"

#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "devchain/dev_contracts.hpp"
#include "evm/errors/rpc_errors.hpp"
#include "evm/json_values.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "run_task.hpp"
#include "system/system_clock.hpp"

namespace fencepost::demo {
namespace {

using namespace std::chrono_literals;

StartupError no_chain(const jsonrpc::Url& url, const std::string& why) {
    return StartupError(fmt::format("{} does not answer like an EVM node: {}", display_name(url), why));
}

RemoteChain read(const jsonrpc::Url& url, const std::vector<jsonrpc::Answer>& answers) {
    for (const auto& answer : answers) {
        if (!answer) throw no_chain(url, evm::to_rpc_error(answer.error()).what);
    }
    const auto id = evm::read_uint64(*answers.at(0), "eth_chainId");
    if (!id) throw no_chain(url, id.error().what);
    const auto block = evm::read_block(*answers.at(1));
    if (!block) throw no_chain(url, block.error().what);
    if (!*block) throw no_chain(url, "it has no genesis block");
    const auto* const code = answers.at(2)->if_string();
    return {.id = *id, .genesis = (*block)->ref.hash, .is_devchain = code != nullptr && *code != "0x"};
}

}  // namespace

RemoteChain ask_chain(const jsonrpc::Url& url) {
    SystemClock clock;
    asio::io_context context(1);
    jsonrpc::HttpJsonRpc rpc(context.get_executor(), clock, {.url = url});
    std::vector<jsonrpc::Request> questions{{"eth_chainId", {}},
                                            {"eth_getBlockByNumber", {"0x0", false}},
                                            {"eth_getCode", {devchain::refusing_contract().to_checksum(), "latest"}}};
    const auto answers = run_task(context, rpc.call(std::move(questions), 10s));
    return read(url, answers);
}

}  // namespace fencepost::demo
