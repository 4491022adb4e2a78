// fencepost tx cancel, speedup, resubmit, requeue: post a command for a transaction. The node that serves the submitter
// executes it asynchronously.
#include <memory>
#include <string>

#include "cli/order.hpp"
#include "cli/tx.hpp"
#include "cli/tx_view.hpp"

namespace fencepost::cli {
namespace {

struct CommandOptions {
    SessionOptions session{};
    std::string id{};
    std::string reason{};
};

ExitCode post_command(Session& session, const CommandOptions& options, const std::string& kind) {
    return session.ask_and_show(order({"tx", options.id, kind}, options.reason), show_command);
}
ExitCode cancel(Session& session, const CommandOptions& options) { return post_command(session, options, "cancel"); }
ExitCode speed_up(Session& session, const CommandOptions& options) { return post_command(session, options, "speedup"); }
ExitCode resubmit(Session& session, const CommandOptions& options) {
    return post_command(session, options, "resubmit");
}
ExitCode requeue(Session& session, const CommandOptions& options) { return post_command(session, options, "requeue"); }

void add(CLI::App& tx, Work& chosen, const std::string& name, const std::string& what,
         ExitCode (*work)(Session&, const CommandOptions&)) {
    const auto options = std::make_shared<CommandOptions>();
    auto* command = add_command(tx, chosen, name, what, options, work);
    command->add_option("id", options->id, "The transaction")->type_name("ID")->required();
    add_reason(*command, options->reason);
}

}  // namespace

void add_tx_commands(CLI::App& tx, Work& chosen) {
    add(tx, chosen, "cancel", "Cancel a transaction, if that is still possible", cancel);
    add(tx, chosen, "speedup", "Raise the fee of a transaction", speed_up);
    add(tx, chosen, "resubmit", "Broadcast the same bytes of a transaction again", resubmit);
    add(tx, chosen, "requeue", "Submit again, as a new transaction, one whose nonce an external transaction used",
        requeue);
}

}  // namespace fencepost::cli
