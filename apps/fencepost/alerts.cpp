// fencepost alerts: explains every kind of alert, for the person whom one has woken.
#include <memory>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "alerts/alerts_reference.hpp"
#include "commands.hpp"

namespace fencepost {

void add_alerts(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("alerts", "Explain every kind of alert, and what to do about it");
    const auto markdown = std::make_shared<bool>(false);
    command->add_flag("--markdown", *markdown, "As docs/operating/alerts.md");
    command->callback([&chosen, markdown] {
        chosen = [markdown] {
            fmt::print("{}", *markdown ? alerts::alerts_markdown() : alerts::alerts_text());
            return exit_ok;
        };
    });
}

}  // namespace fencepost
