// fencepost tx cancel, speedup, resubmit, requeue: a person steps in. What is asked for here is carried out by the node
// that serves the submitter, in its own time.
#include <memory>
#include <string>

#include "cli/order.hpp"
#include "cli/tx.hpp"
#include "cli/tx_view.hpp"

namespace fencepost::cli {
namespace {

struct OrderOptions {
    SessionOptions session{};
    std::string id{};
    std::string reason{};
};

ExitCode give(Session& session, const OrderOptions& options, const std::string& kind) {
    return session.ask_and_show(order({"tx", options.id, kind}, options.reason), show_command);
}
ExitCode cancel(Session& session, const OrderOptions& options) { return give(session, options, "cancel"); }
ExitCode speed_up(Session& session, const OrderOptions& options) { return give(session, options, "speedup"); }
ExitCode resubmit(Session& session, const OrderOptions& options) { return give(session, options, "resubmit"); }
ExitCode requeue(Session& session, const OrderOptions& options) { return give(session, options, "requeue"); }

void add(CLI::App& tx, Work& chosen, const std::string& name, const std::string& what,
         ExitCode (*work)(Session&, const OrderOptions&)) {
    const auto options = std::make_shared<OrderOptions>();
    auto* command = add_command(tx, chosen, name, what, options, work);
    command->add_option("id", options->id, "The transaction")->type_name("ID")->required();
    add_reason(*command, options->reason);
}

}  // namespace

void add_tx_orders(CLI::App& tx, Work& chosen) {
    add(tx, chosen, "cancel", "Do not execute a transaction, if that can still be helped", cancel);
    add(tx, chosen, "speedup", "Offer a higher fee for a transaction", speed_up);
    add(tx, chosen, "resubmit", "Send a transaction to the nodes again, as it is", resubmit);
    add(tx, chosen, "requeue", "Do again, as a new transaction, what lost its nonce to another system", requeue);
}

}  // namespace fencepost::cli
