// fencepost tx send: one transaction from the command line, or many from a file.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/uuid.hpp"
#include "cli/batches.hpp"
#include "cli/send_body.hpp"
#include "cli/tx.hpp"
#include "cli/tx_view.hpp"
#include "cli/validators.hpp"
#include "cli/waiting.hpp"
#include "config/keys/values.hpp"
#include "system/system_random.hpp"

namespace fencepost::cli {
namespace {

constexpr unsigned first_server_error = 500;

struct SendOptions {
    SessionOptions session{};
    Wanted wanted{};
    std::string request_id{};
    std::string wait{};
    std::string timeout = "10m";
    std::string file{};
};

std::string fresh_request_id(const ApiClient& client) {
    SystemRandom random;
    return UuidV7Generator{}.next(client.unix_now(), random.bits()).to_string();
}

// Whether it was taken nobody knows; the request id makes it safe to ask.
void advise_to_repeat(const std::string& request_id) {
    fmt::print(stderr,
               "  It may have been taken. Send it again with --request-id {}: what has been taken is not taken "
               "twice.\n",
               request_id);
}

ExitCode send_one(Session& session, const SendOptions& options) {
    const auto request_id = options.request_id.empty() ? fresh_request_id(session.client()) : options.request_id;
    const auto body = body_of(options.wanted, request_id);
    if (!body) return wrong_usage(body.error());
    auto answered = session.client().call({.path = {"tx"}, .body = json::serialize(*body)});
    const bool is_uncertain = answered ? answered->status >= first_server_error : !answered.error().not_sent;
    const auto answer = session.judge(std::move(answered));
    if (!answer) {
        if (is_uncertain) advise_to_repeat(request_id);
        return answer.error();
    }
    if (options.wait.empty()) return session.show(*answer, show_transaction);
    if (!session.is_json()) {
        fmt::print(stderr, "transaction {}, request id {}\n", text_at(answer->value, "/txId"), request_id);
    }
    return wait_and_show(session, {.id = text_at(answer->value, "/txId"),
                                   .until = *value_of<Until>(options.wait),
                                   .timeout = *config::read_duration(options.timeout)});
}

std::optional<std::string> text_of_file(const std::string& name) {
    if (name == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::ifstream file(name, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    return file ? std::optional(std::move(text)) : std::nullopt;
}

bool is_refused(const json::value& item) { return find(item, "/transaction") == nullptr; }

// As many requests as it takes, in order; what the earlier ones achieved is shown also when a later one fails.
ExitCode send_all(Session& session, const json::array& items) {
    json::array results;
    auto code = exit_ok;
    std::size_t begin = 0;
    for (auto& [count, body] : batches_of(items)) {
        const auto answer = session.ask({.path = {"tx", "batch"}, .body = std::move(body)});
        if (!answer) {
            code = answer.error();
            fmt::print(stderr, "  That is about items {} to {}; those after them were not sent.\n", begin,
                       begin + count - 1);
            break;
        }
        const auto& more = array_at(answer->value, "/items");
        results.insert(results.end(), more.begin(), more.end());
        begin += count;
    }
    if (results.empty() && code != exit_ok) return code;
    if (code == exit_ok && std::ranges::any_of(results, is_refused)) code = exit_failed;
    json::value whole = json::object{{"items", std::move(results)}};
    auto text = json::serialize(whole);
    session.show({.text = std::move(text), .value = std::move(whole)}, show_batch);
    return code;
}

ExitCode send(Session& session, const SendOptions& options) {
    if (options.file.empty()) return send_one(session, options);
    if (options.wanted != Wanted{} || !options.request_id.empty() || !options.wait.empty()) {
        return wrong_usage("with --file, everything about the transactions stands in the file");
    }
    const auto text = text_of_file(options.file);
    if (!text) return wrong_usage(fmt::format("{} cannot be read", options.file));
    const auto items = items_of(*text);
    if (!items) return wrong_usage(fmt::format("{}: {}", options.file, items.error()));
    if (items->empty()) return wrong_usage(fmt::format("{} holds no transaction", options.file));
    return send_all(session, *items);
}

void add_what(CLI::App& command, Wanted& wanted) {
    const std::string group = "What";
    command.add_option("--from", wanted.from, "Who sends: eip155:1:0x…, or 0x… where there is one chain")
        ->type_name("SUBMITTER")
        ->group(group);
    command.add_option("--to", wanted.to, "Who receives, or which contract is called")
        ->type_name("ADDRESS")
        ->check(address_check())
        ->group(group);
    command.add_option("--value", wanted.value, "How much, in wei, or as in \"0.1 ether\" or 50gwei")
        ->type_name("AMOUNT")
        ->check(amount_check())
        ->group(group);
    command.add_option("--data", wanted.data, "Data, hexadecimal, or @FILE")->type_name("DATA")->group(group);
    command.add_option("--call", wanted.call, "A function, as in \"transfer(address,uint256)\"")
        ->type_name("FUNCTION")
        ->group(group);
    // Not allow_extra_args: it would take an argument in brackets apart.
    constexpr int most_arguments = 1000;
    command.add_option("--args", wanted.arguments, "Its arguments; arrays as JSON; a negative first one as --args=-5")
        ->type_name("VALUE…")
        ->expected(1, most_arguments)
        ->allow_extra_args(false)
        ->group(group);
    command.add_flag("--deploy", wanted.deploy, "Make a contract: --data is its code")->group(group);
    command.add_option("--valid-until", wanted.valid_until, "When it is too late to begin, as in 2030-01-01T12:00:00Z")
        ->type_name("TIME")
        ->group(group);
}

void add_price(CLI::App& command, Wanted& wanted) {
    const std::string group = "What it may cost";
    command.add_option("--gas", wanted.gas, "The gas limit; else it is estimated")
        ->type_name("NUMBER")
        ->check(count_check())
        ->group(group);
    command.add_option("--speed", wanted.speed, "slow, normal or fast")
        ->type_name("SPEED")
        ->check(one_of_check({"slow", "normal", "fast"}))
        ->group(group);
    const auto add_fee = [&command, &group](const std::string& name, std::string& fee, const std::string& what) {
        command.add_option(name, fee, what)->type_name("AMOUNT")->check(amount_check())->group(group);
    };
    add_fee("--max-fee", wanted.max_fee, "The most for a unit of gas, as in 30gwei");
    add_fee("--max-priority-fee", wanted.max_priority_fee, "Of it, the most for the block's producer");
    add_fee("--gas-price", wanted.gas_price, "The price of a unit of gas, of a legacy transaction");
}

}  // namespace

void add_tx_send(CLI::App& tx, Work& chosen) {
    const auto options = std::make_shared<SendOptions>();
    auto* command = add_command(tx, chosen, "send", "Send a transaction, or many from a file", options, send);
    add_what(*command, options->wanted);
    add_price(*command, options->wanted);
    command->add_option("--request-id", options->request_id, "Your id of it: what was taken once is not taken twice")
        ->type_name("REQUEST");
    command->add_option("--wait", options->wait, "Then wait until it is mined or confirmed")
        ->type_name("mined|confirmed")
        ->check(one_of_check({"mined", "confirmed"}));
    command->add_option("--timeout", options->timeout, "How long to wait")
        ->type_name("DURATION")
        ->check(duration_check())
        ->capture_default_str();
    command->add_option("--file", options->file, "A JSON file of many, as the API takes them; - is stdin")
        ->type_name("FILE");
}

}  // namespace fencepost::cli
