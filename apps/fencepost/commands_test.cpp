// docs/reference/cli.md lists exactly the commands and options of the program.
#include "commands.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <gtest/gtest.h>

namespace fencepost {
namespace {

using Names = std::set<std::string>;

std::string document() {
    std::ifstream file(FENCEPOST_SOURCE_DIR "/docs/reference/cli.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// "fencepost tx send" and its like: commands that do something.
void collect(CLI::App& app, const std::string& before, Names& names, Names& options) {
    const auto name = before + app.get_name();
    const auto below = app.get_subcommands([](const CLI::App* each) { return !each->get_name().empty(); });
    if (below.empty()) {
        names.insert(name);
        for (const auto* option : app.get_options()) {
            for (const auto& each : option->get_lnames())
                options.insert("--" + each);
        }
    }
    for (auto* command : below)
        collect(*command, name + " ", names, options);
}

Names named_in_tables(const std::string& text) {
    static const std::string mark = "\n| `fencepost ";
    Names names;
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        const auto begin = text.find('`', at) + 1;
        names.insert(text.substr(begin, text.find('`', begin) - begin));
    }
    return names;
}

TEST(CommandLine, DocumentsEveryCommand) {
    CLI::App program("", "fencepost");
    Work chosen;
    add_commands(program, chosen);
    Names names;
    Names options;
    collect(program, "", names, options);
    EXPECT_EQ(named_in_tables(document()), names) << "docs/reference/cli.md and the program name other commands";
}

TEST(CommandLine, DocumentsEveryOptionOfApiCommands) {
    CLI::App program("", "fencepost");
    Work chosen;
    add_tx(program, chosen);
    add_submitter(program, chosen);
    Names names;
    Names options;
    collect(program, "", names, options);
    const auto text = document();
    for (const auto& option : options) {
        if (option == "--help" || option == "--request") continue;  // the latter is short for --request-id
        EXPECT_TRUE(text.contains(option)) << option << " is not in docs/reference/cli.md";
    }
}

}  // namespace
}  // namespace fencepost
