// fencepost submitter, chains, cluster: show submitters, chains, endpoints and nodes, and post commands for a
// submitter.
#include <memory>
#include <string>

#include "cli/order.hpp"
#include "cli/pages.hpp"
#include "cli/session.hpp"
#include "cli/submitter_view.hpp"
#include "cli/tx_view.hpp"

namespace fencepost {
namespace cli {
namespace {

struct PlainOptions {
    SessionOptions session{};
};

struct SubmittersOptions {
    SessionOptions session{};
    PageOptions page{};
};

struct SubmitterOptions {
    SessionOptions session{};
    std::string submitter{};
    std::string reason{};
};

ExitCode list_submitters(Session& session, const SubmittersOptions& options) {
    return show_list(session, {.path = {"submitters"}}, options.page, show_submitters);
}
ExitCode chains(Session& session, const PlainOptions& /*options*/) {
    return session.ask_and_show({.path = {"chains"}}, show_chains);
}
ExitCode cluster(Session& session, const PlainOptions& /*options*/) {
    return session.ask_and_show({.path = {"cluster"}}, show_cluster);
}
ExitCode show(Session& session, const SubmitterOptions& options) {
    return session.ask_and_show({.path = {"submitters", options.submitter}}, show_submitter);
}

ExitCode post_command(Session& session, const SubmitterOptions& options, const std::string& kind) {
    return session.ask_and_show(order({"submitters", options.submitter, kind}, options.reason), show_command);
}
ExitCode pause(Session& session, const SubmitterOptions& options) { return post_command(session, options, "pause"); }
ExitCode resume(Session& session, const SubmitterOptions& options) { return post_command(session, options, "resume"); }
ExitCode protect(Session& session, const SubmitterOptions& options) {
    return post_command(session, options, "protect");
}
ExitCode unprotect(Session& session, const SubmitterOptions& options) {
    return post_command(session, options, "unprotect");
}
ExitCode reconcile(Session& session, const SubmitterOptions& options) {
    return post_command(session, options, "reconcile");
}

using SubmitterWork = ExitCode (*)(Session&, const SubmitterOptions&);

CLI::App* add(CLI::App& parent, Work& chosen, const std::string& name, const std::string& what, SubmitterWork work,
              const std::shared_ptr<SubmitterOptions>& options) {
    auto* command = add_command(parent, chosen, name, what, options, work);
    command->add_option("submitter", options->submitter, "eip155:1:0x…, or 0x… if the node serves a single chain")
        ->type_name("SUBMITTER")
        ->required();
    return command;
}

void add_submitter_list(CLI::App& parent, Work& chosen) {
    const auto options = std::make_shared<SubmittersOptions>();
    add_page_options(*add_command(parent, chosen, "list", "List the submitters", options, list_submitters),
                     options->page);
}

void add_submitter_command(CLI::App& parent, Work& chosen, const std::string& name, const std::string& what,
                           SubmitterWork work) {
    const auto options = std::make_shared<SubmitterOptions>();
    add_reason(*add(parent, chosen, name, what, work, options), options->reason);
}

}  // namespace
}  // namespace cli

void add_submitter(CLI::App& program, Work& chosen) {
    using namespace cli;
    auto* submitter = program.add_subcommand("submitter", "Show, pause, resume and protect submitters");
    submitter->require_subcommand(0, 1);  // as in main.cpp
    add_submitter_list(*submitter, chosen);
    add(*submitter, chosen, "show", "Show a submitter", cli::show, std::make_shared<SubmitterOptions>());
    add_submitter_command(*submitter, chosen, "pause", "Stop accepting and allocating for a submitter", cli::pause);
    add_submitter_command(*submitter, chosen, "resume", "Resume a paused submitter", cli::resume);
    add_submitter_command(*submitter, chosen, "protect",
                          "Stop a submitter, as after an external transaction of its key", cli::protect);
    add_submitter_command(*submitter, chosen, "unprotect", "Lift the protection of a submitter", cli::unprotect);
    add_submitter_command(*submitter, chosen, "reconcile", "Reconcile a submitter with the chain now", cli::reconcile);
}

void add_chains(CLI::App& program, Work& chosen) {
    cli::add_command(program, chosen, "chains", "Show the chains and their endpoints",
                     std::make_shared<cli::PlainOptions>(), cli::chains);
}

void add_cluster(CLI::App& program, Work& chosen) {
    cli::add_command(program, chosen, "cluster", "Show the nodes", std::make_shared<cli::PlainOptions>(), cli::cluster);
}

}  // namespace fencepost
