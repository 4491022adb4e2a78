// fencepost key: creates, imports and lists key files. Keys and passwords never come from the command line, which every
// user of the machine can read. Only addresses and paths are printed.
#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "commands.hpp"
#include "print_json.hpp"
#include "signers/key_file.hpp"
#include "signers/secret_file.hpp"

namespace fencepost {
namespace {

struct KeyOptions {
    std::string folder;
    std::string password_file;
    std::string password_env;
    std::string key_file;  // empty: standard input
    bool weak = false;
    bool json = false;
};

Secret read_password(const KeyOptions& options) {
    if (!options.password_file.empty()) return or_throw(signers::read_secret_file(options.password_file));
    const char* value = std::getenv(options.password_env.c_str());
    if (value == nullptr || *value == '\0') {
        throw StartupError(fmt::format("the environment variable {} is empty or not set", options.password_env));
    }
    return Secret(value);
}

codec::PrivateKey read_key(const KeyOptions& options) {
    const auto text = or_throw(options.key_file.empty() ? signers::read_secret(STDIN_FILENO, "standard input")
                                                        : signers::read_secret_file(options.key_file));
    auto key = codec::PrivateKey::from_hex(text.expose());
    if (!key) {
        throw StartupError(fmt::format("{} does not contain a key: expected 64 hexadecimal digits and nothing else",
                                       options.key_file.empty() ? "standard input" : options.key_file));
    }
    return *std::move(key);
}

ExitCode store(const KeyOptions& options, const codec::PrivateKey& key) {
    const auto cost = options.weak ? signers::ScryptCost::weak() : signers::ScryptCost{};
    const auto path = or_throw(signers::write_key_file(options.folder, key, read_password(options), cost));
    fmt::print("{} {}\n", key.address().to_checksum(), path.string());
    return exit_ok;
}

ExitCode make_new(const KeyOptions& options) { return store(options, signers::generate_key()); }
ExitCode import(const KeyOptions& options) { return store(options, read_key(options)); }

void print_files(const std::vector<signers::ListedKey>& files) {
    for (const auto& [path, address] : files)
        fmt::print("{} {}\n", address ? address->to_checksum() : "(address not in the file)", path.string());
}

void print_files_as_json(const std::vector<signers::ListedKey>& files) {
    boost::json::array items;
    for (const auto& [path, address] : files) {
        items.push_back(boost::json::object{
            {"address", address ? boost::json::value(address->to_checksum()) : boost::json::value()},
            {"file", path.string()}});
    }
    print_json_list(std::move(items));
}

ExitCode list(const KeyOptions& options) {
    const auto files = or_throw(signers::list_key_files(options.folder));
    if (options.json) {
        print_files_as_json(files);
    } else {
        print_files(files);
    }
    return exit_ok;
}

CLI::App* add(CLI::App& key, Work& chosen, const std::shared_ptr<KeyOptions>& options, const std::string& name,
              const std::string& what, ExitCode (*work)(const KeyOptions&)) {
    auto* command = key.add_subcommand(name, what);
    command->add_option("--keystore", options->folder, "The folder of the key files")->type_name("FOLDER")->required();
    command->callback([&chosen, options, work] { chosen = [options, work] { return work(*options); }; });
    return command;
}

void add_password(CLI::App& command, KeyOptions& options) {
    auto* group = command.add_option_group("password", "The source of the new file's password");
    group->add_option("--password-file", options.password_file, "A file with the password")->type_name("FILE");
    group->add_option("--password-env", options.password_env, "The environment variable with the password")
        ->type_name("NAME");
    group->require_option(1);
    command.add_flag("--weak", options.weak,
                     "Use weak and fast encryption, for tests only: a password guess takes 1 ms");
}

}  // namespace

void add_key(CLI::App& program, Work& chosen) {
    auto* key = program.add_subcommand("key", "Create, import and list key files (Ethereum keystore, version 3)");
    key->require_subcommand(0, 1);  // as in main.cpp
    const auto options = std::make_shared<KeyOptions>();
    add_password(*add(*key, chosen, options, "new", "Create a new key", make_new), *options);
    auto* import_command =
        add(*key, chosen, options, "import", "Import a hexadecimal key from standard input or a file", import);
    import_command->add_option("--key-file", options->key_file, "The file; default: standard input")->type_name("FILE");
    add_password(*import_command, *options);
    add(*key, chosen, options, "list", "List addresses and files; needs no password", list)
        ->add_flag("--json", options->json, "Print JSON");
}

}  // namespace fencepost
