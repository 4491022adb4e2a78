// fencepost tx wait: waits until a transaction is mined or settled.
#include <memory>
#include <string>

#include "cli/tx.hpp"
#include "cli/validators.hpp"
#include "cli/waiting.hpp"
#include "config/keys/values.hpp"

namespace fencepost::cli {
namespace {

struct WaitOptions {
    SessionOptions session{};
    std::string id{};
    std::string until = "confirmed";
    std::string timeout = "10m";
};

ExitCode wait(Session& session, const WaitOptions& options) {
    return wait_and_show(session, {.id = options.id,
                                   .until = *value_of<Until>(options.until),
                                   .timeout = *config::read_duration(options.timeout)});
}

}  // namespace

void add_tx_wait(CLI::App& tx, Work& chosen) {
    const auto options = std::make_shared<WaitOptions>();
    auto* command = add_command(tx, chosen, "wait", "Wait until a transaction is mined or settled", options, wait);
    command->add_option("id", options->id, "The transaction")->type_name("ID")->required();
    command->add_option("--until", options->until, "What to wait for")
        ->type_name("mined|confirmed")
        ->check(one_of_check({"mined", "confirmed"}))
        ->capture_default_str();
    command->add_option("--timeout", options->timeout, "Maximum time to wait")
        ->type_name("DURATION")
        ->check(duration_check())
        ->capture_default_str();
}

}  // namespace fencepost::cli
