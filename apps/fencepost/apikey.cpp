// fencepost apikey: creates, lists and revokes API keys. A key is printed once, when it is created; the file holds only
// its hash. A running server applies changes of the file within a second.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/auth/key_file.hpp"
#include "base/startup_error.hpp"
#include "commands.hpp"
#include "print_json.hpp"
#include "system/system_clock.hpp"

namespace fencepost {
namespace {

namespace json = boost::json;
using api::ApiKey;
using api::ApiKeys;

constexpr double slowest_rate = 0.001;
constexpr double fastest_rate = 1e6;

struct ApiKeyOptions {
    std::string file;
    std::string name;
    std::string scope;
    std::vector<std::string> submitters;
    std::optional<double> rate;
    std::optional<double> burst;
    bool json = false;
};

ApiKey described(const ApiKeyOptions& options) {
    ApiKey key{.name = options.name,
               .scope = *value_of<api::Scope>(options.scope),
               .created_at = to_rfc3339(SystemClock().unix_now())};
    for (const auto& text : options.submitters) {
        if (!key.submitters) key.submitters.emplace();
        auto id = *SubmitterId::parse(text);
        if (std::ranges::find(*key.submitters, id) == key.submitters->end()) key.submitters->push_back(std::move(id));
    }
    if (options.rate) {
        key.rate = {.per_second = *options.rate, .burst = options.burst.value_or(std::max(1.0, 2 * *options.rate))};
    }
    return key;
}

// Whole numbers without the exponent that the library writes for every double.
json::value as_json(double number) {
    const auto whole = static_cast<std::int64_t>(number);
    return static_cast<double>(whole) == number ? json::value(whole) : json::value(number);
}

json::object as_json(const ApiKey& key) {
    json::value submitters;
    if (key.submitters) {
        auto& list = submitters.emplace_array();
        for (const auto& submitter : *key.submitters)
            list.emplace_back(submitter.to_string());
    }
    json::object entry{{"name", key.name}, {"scope", name_of(key.scope)}, {"submitters", std::move(submitters)}};
    entry["ratePerSecond"] = key.rate ? as_json(key.rate->per_second) : json::value();
    entry["burst"] = key.rate ? as_json(key.rate->burst) : json::value();
    entry["createdAt"] = key.created_at.empty() ? json::value() : json::value(key.created_at);
    return entry;
}

ExitCode make_new(const ApiKeyOptions& options) {
    const auto secret = api::generate_api_key();
    auto key = described(options);
    key.hash = api::hash_of_api_key(secret.expose());
    or_throw(api::edit_key_file(options.file, [&](ApiKeys& keys) -> Status<std::string> {
        if (std::ranges::find(keys, key.name, &ApiKey::name) != keys.end()) {
            return err(fmt::format("{} already has a key named {}; choose another name, or revoke that key first",
                                   options.file, key.name));
        }
        keys.push_back(key);
        return {};
    }));
    if (options.json) {
        auto entry = as_json(key);
        entry["key"] = secret.expose();
        print_json(entry);
        return exit_ok;
    }
    fmt::print("{}\n", secret.expose());
    std::fflush(stdout);
    fmt::print(stderr, "This is the key {}. Store it now: only its hash is kept, and it cannot be shown again.\n",
               key.name);
    return exit_ok;
}

void print_line(const ApiKey& key) {
    std::vector<std::string> submitters;
    for (const auto& submitter : key.submitters.value_or(std::vector<SubmitterId>{}))
        submitters.push_back(submitter.to_string());
    fmt::print("{}  {}  {}  {}  {}\n", key.name, key.scope,
               key.submitters ? fmt::format("{}", fmt::join(submitters, ",")) : "all submitters",
               key.rate ? fmt::format("{} per second", key.rate->per_second) : "default rate",
               key.created_at.empty() ? "-" : key.created_at);
}

ExitCode list(const ApiKeyOptions& options) {
    const auto keys = or_throw(api::read_key_file(options.file));
    if (!options.json) {
        std::ranges::for_each(keys, print_line);
        return exit_ok;
    }
    json::array items;
    for (const auto& key : keys)
        items.push_back(as_json(key));
    print_json_list(std::move(items));
    return exit_ok;
}

ExitCode revoke(const ApiKeyOptions& options) {
    // Without a file there is nothing to revoke; do not create one.
    std::ignore = or_throw(api::read_key_file(options.file));
    or_throw(api::edit_key_file(options.file, [&options](ApiKeys& keys) -> Status<std::string> {
        const auto erased = std::erase_if(keys, [&options](const ApiKey& key) { return key.name == options.name; });
        if (erased == 0) return err(fmt::format("{} has no key named {}", options.file, options.name));
        return {};
    }));
    if (options.json) {
        print_json(json::object{{"revoked", options.name}});
    } else {
        fmt::print("revoked {}; a running server rejects it within a second\n", options.name);
    }
    return exit_ok;
}

std::string check_name(const std::string& text) {
    return api::is_key_name(text) ? "" : "a name consists of up to 64 letters, digits, dots, dashes and underscores";
}

std::string check_submitter(const std::string& text) {
    const auto submitter = SubmitterId::parse(text);
    return submitter ? "" : submitter.error().what;
}

CLI::App* add(CLI::App& apikey, Work& chosen, const std::shared_ptr<ApiKeyOptions>& options, const std::string& name,
              const std::string& what, ExitCode (*work)(const ApiKeyOptions&)) {
    auto* command = apikey.add_subcommand(name, what);
    command->add_option("--keys", options->file, "The file of API keys (api.keysFile)")->type_name("FILE")->required();
    command->add_flag("--json", options->json, "Print JSON");
    command->callback([&chosen, options, work] { chosen = [options, work] { return work(*options); }; });
    return command;
}

void add_name(CLI::App& command, ApiKeyOptions& options, const std::string& what) {
    command.add_option("--name", options.name, what)
        ->type_name("NAME")
        ->required()
        ->check(CLI::Validator(check_name, ""));
}

void add_rights(CLI::App& command, ApiKeyOptions& options) {
    command
        .add_option("--scope", options.scope,
                    "What the key permits: read, write (send and cancel) or admin (everything)")
        ->type_name("SCOPE")
        ->required()
        ->check(CLI::IsMember({"read", "write", "admin"}));
    command.add_option("--submitter", options.submitters, "A submitter that the key may use; repeatable; default: all")
        ->type_name("eip155:CHAIN:0xADDRESS")
        ->check(CLI::Validator(check_submitter, ""));
    auto* rate =
        command.add_option("--rate", options.rate, "Requests per second; default: the configured limit for all keys")
            ->type_name("NUMBER")
            ->check(CLI::Range(slowest_rate, fastest_rate));
    command.add_option("--burst", options.burst, "Requests at once; default: twice the rate")
        ->type_name("NUMBER")
        ->check(CLI::Range(1.0, fastest_rate))
        ->needs(rate);
}

}  // namespace

void add_apikey(CLI::App& program, Work& chosen) {
    auto* apikey = program.add_subcommand("apikey", "Create, list and revoke API keys");
    apikey->require_subcommand(0, 1);  // as in main.cpp
    const auto options = std::make_shared<ApiKeyOptions>();
    auto* make = add(*apikey, chosen, options, "new", "Create a key and print it; it is printed only once", make_new);
    add_name(*make, *options, "The name of the key's user in the audit log");
    add_rights(*make, *options);
    add(*apikey, chosen, options, "list", "List names and permissions; the keys themselves are not stored", list);
    add_name(*add(*apikey, chosen, options, "revoke", "Remove a key from the file", revoke), *options,
             "The name of the key");
}

}  // namespace fencepost
