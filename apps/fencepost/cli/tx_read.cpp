// fencepost tx get, list, history, attempts, confirmations, diagnose: show transactions.
#include <memory>
#include <string>
#include <vector>

#include "cli/pages.hpp"
#include "cli/session.hpp"
#include "cli/tx.hpp"
#include "cli/tx_view.hpp"
#include "cli/validators.hpp"
#include "domain/tx/transaction_state.hpp"

namespace fencepost::cli {
namespace {

struct GetOptions {
    SessionOptions session{};
    std::string id{};
    std::string submitter{};
    std::string request{};
};

std::vector<std::string> names_of_states() {
    std::vector<std::string> names;
    for (const auto& [state, name] : enum_names<State>)
        names.emplace_back(name);
    return names;
}

struct OneOptions {
    SessionOptions session{};
    std::string id{};
};

struct ListOptions {
    SessionOptions session{};
    std::string submitter{};
    std::string state{};
    bool oldest_first = false;
    PageOptions page{};
};

ExitCode get(Session& session, const GetOptions& options) {
    const bool by_request = !options.request.empty() && !options.submitter.empty();
    if (options.id.empty() != by_request) {
        return wrong_usage("give a transaction id, or --submitter and --request-id");
    }
    if (by_request) {
        return session.ask_and_show(
            {.path = {"tx", "by-request"}, .query = {{"submitter", options.submitter}, {"requestId", options.request}}},
            show_transaction);
    }
    return session.ask_and_show({.path = {"tx", options.id}}, show_transaction);
}

ExitCode list(Session& session, const ListOptions& options) {
    const ApiCall call{.path = {"tx"},
                       .query = {{"submitter", options.submitter},
                                 {"state", options.state},
                                 {"order", options.oldest_first ? "oldest" : "newest"}}};
    return show_list(session, call, options.page, show_transactions);
}

ExitCode history(Session& session, const OneOptions& options) {
    return session.ask_and_show({.path = {"tx", options.id, "history"}}, show_history);
}
ExitCode attempts(Session& session, const OneOptions& options) {
    return session.ask_and_show({.path = {"tx", options.id, "attempts"}}, show_attempts);
}
ExitCode confirmations(Session& session, const OneOptions& options) {
    return session.ask_and_show({.path = {"tx", options.id, "confirmations"}}, show_confirmations);
}
ExitCode diagnose(Session& session, const OneOptions& options) {
    return session.ask_and_show({.path = {"tx", options.id, "diagnosis"}}, show_diagnosis);
}

void add_get(CLI::App& tx, Work& chosen) {
    const auto options = std::make_shared<GetOptions>();
    auto* command = add_command(tx, chosen, "get", "Show a transaction", options, get);
    command->add_option("id", options->id, "The transaction id")->type_name("ID");
    command->add_option("--request-id,--request", options->request, "The request id of its caller; needs --submitter")
        ->type_name("REQUEST");
    command->add_option("--submitter", options->submitter, "The submitter of the transaction")->type_name("SUBMITTER");
}

void add_list(CLI::App& tx, Work& chosen) {
    const auto options = std::make_shared<ListOptions>();
    auto* command = add_command(tx, chosen, "list", "List transactions, newest first", options, list);
    command->add_option("--submitter", options->submitter, "Only transactions of this submitter")
        ->type_name("SUBMITTER");
    command->add_option("--state", options->state, "Only transactions in this state")
        ->type_name("STATE")
        ->check(one_of_check(names_of_states()));
    command->add_flag("--oldest-first", options->oldest_first, "Oldest first, in order of acceptance");
    add_page_options(*command, options->page);
}

void add_one(CLI::App& tx, Work& chosen, const std::string& name, const std::string& what,
             ExitCode (*work)(Session&, const OneOptions&)) {
    const auto options = std::make_shared<OneOptions>();
    auto* command = add_command(tx, chosen, name, what, options, work);
    command->add_option("id", options->id, "The transaction")->type_name("ID")->required();
}

}  // namespace

void add_tx_reads(CLI::App& tx, Work& chosen) {
    add_get(tx, chosen);
    add_list(tx, chosen);
    add_one(tx, chosen, "history", "Show the history of a transaction", history);
    add_one(tx, chosen, "attempts", "Show the signed attempts of a transaction", attempts);
    add_one(tx, chosen, "confirmations", "Show the blocks above a transaction", confirmations);
    add_one(tx, chosen, "diagnose", "Explain why a transaction is not mined", diagnose);
}

}  // namespace fencepost::cli
