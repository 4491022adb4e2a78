// The development chain as applications see it: through a third-party library.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "devchain/dev_accounts.hpp"
#include "devchain/dev_contracts.hpp"
#include "support/dev_chain.hpp"
#include "support/temp_folder.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {
namespace {

using test::DevNode;
using test::DevNodeKind;

void wait_until_it_answers(DevNode& node) {
    SystemClock clock;
    asio::io_context context(1);
    test::DevChain chain(context.get_executor(), clock, node);
    std::exception_ptr error;
    asio::co_spawn(context, chain.start(), [&error](const std::exception_ptr& e) { error = e; });
    context.run();
    if (error) std::rethrow_exception(error);
}

TEST(DevelopmentChain, BehavesAsEthersExpects) {
    auto& node = DevNode::shared(DevNodeKind::fencepost);
    wait_until_it_answers(node);
    const test::TempFolder folder;
    const auto log = folder.path() / "log";
    const std::string script = FENCEPOST_SOURCE_DIR "/tests/contract/chain/ethers.mjs";
    test::ChildProcess ethers(
        {"/usr/bin/env", "node", script, node.url(), std::string(devchain::dev_account_keys.at(9)),
         devchain::token_contract().to_lower(), devchain::refusing_contract().to_lower()},
        {.log = log});
    EXPECT_EQ(ethers.wait(), 0) << test::text_of(log);
}

}  // namespace
}  // namespace fencepost::contract
