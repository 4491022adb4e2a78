// fencepost doctor: checks everything that a node needs, before the start or for troubleshooting, and says what to fix.
#include <cstdio>
#include <memory>
#include <utility>

#include <CLI/App.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "cli/paint.hpp"
#include "commands.hpp"
#include "configured.hpp"
#include "doctor/checks.hpp"
#include "run_task.hpp"
#include "system/system_clock.hpp"

namespace fencepost {
namespace doctor {
namespace {

/// Prints findings as they arrive, and keeps them.
class Record {
public:
    Record(bool json, const cli::Paint& paint) : json_(json), paint_(paint) {}

    void add(Findings findings) {
        for (auto& finding : findings) {
            if (!json_) fmt::print("{}", to_text(finding, paint_));
            findings_.push_back(std::move(finding));
        }
        std::fflush(stdout);
    }
    ExitCode close() const {
        fmt::print("{}", json_ ? to_json(findings_) : summary_of(findings_));
        return any_broken(findings_) ? exit_failed : exit_ok;
    }

private:
    bool json_;
    cli::Paint paint_;
    Findings findings_;
};

Findings configuration_problems(const config::Problems& problems) {
    Findings findings;
    for (const auto& problem : problems)
        findings.push_back(broken("configuration", problem.to_string(), "see fencepost config reference"));
    return findings;
}

void examine(const config::Config& config, Record& record) {
    asio::io_context context(1);
    SystemClock clock;
    const Executor executor = context.get_executor();
    record.add(check_listening(executor, config));
    record.add(check_descriptors(config, descriptor_limit()));
    record.add(check_tls(config.tls, clock.unix_now()));
    record.add(run_task(context, check_database(executor, &clock, config.database)));
    if (config.chains.empty()) {
        record.add(
            {doubtful("chains", "none configured", "configure one under chains: without it, nothing can be sent")});
    }
    for (const auto& chain : config.chains)
        record.add(run_task(context, check_chain(executor, &clock, chain)));
    auto keys = run_task(context, check_signers(executor, &clock, config.signers));
    record.add(keys.findings);
    record.add(check_submitters(config, keys));
    record.add(run_task(context, check_accounts(executor, &clock, config, std::move(keys.addresses))));
}

ExitCode run(const ConfigOptions& options, bool json) {
    Record record(json, cli::Screen::of_this_process().paint);
    const auto loaded = load_configuration(options);
    if (!loaded) {
        record.add(configuration_problems(loaded.error()));
        return record.close();
    }
    record.add({good("configuration", fmt::format("chains {}, submitters {}, signers {}", loaded->config.chains.size(),
                                                  loaded->config.submitters.size(), loaded->config.signers.size()))});
    examine(loaded->config, record);
    return record.close();
}

}  // namespace
}  // namespace doctor

void add_doctor(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("doctor", "Check what a node needs, and report what to fix");
    const auto options = add_config_options(*command);
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print the findings as one JSON document");
    command->callback([&chosen, command, options, json] {
        take_arguments(*command, *options);
        chosen = [options, json] { return doctor::run(*options, *json); };
    });
}

}  // namespace fencepost
