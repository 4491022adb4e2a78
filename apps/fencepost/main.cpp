// The program: selects the subcommand, runs it, and reports an error as one sentence and an exit code.
#include <cstdio>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "commands.hpp"

namespace fencepost {
namespace {

ExitCode explain(const CLI::App& program, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help and --version
        program.exit(error);
        return exit_ok;
    }
    fmt::print(stderr, "fencepost: {}\n\n{}", error.what(), program.help());
    return exit_wrong_usage;
}

// Output that could not be written, for example to a full disk, must not look like success to a script.
ExitCode flushed(ExitCode code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr, "fencepost: the output could not be written.\n");
    return code == exit_ok ? exit_failed : code;
}

ExitCode run(int argc, char** argv) {
    CLI::App program("Fencepost: a transaction manager for EVM chains.", "fencepost");
    program.set_version_flag("--version", "fencepost " FENCEPOST_VERSION, "Print the version and exit");
    program.require_subcommand(0, 1);  // not 1: CLI11 would then report a mistyped subcommand as missing
    Work chosen;
    add_commands(program, chosen);

    try {
        program.parse(argc, argv);
        if (!chosen) throw CLI::RequiredError::Subcommand(1);
    } catch (const CLI::ParseError& error) {
        return explain(program, error);
    }
    try {
        return flushed(chosen());
    } catch (const StartupError& error) {
        fmt::print(stderr, "fencepost: {}.\n", error.what());
        return exit_failed;
    }
}

}  // namespace
}  // namespace fencepost

int main(int argc, char** argv) { return fencepost::run(argc, argv); }
