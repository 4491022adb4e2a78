// fencepost tx send: submits one transaction from the command line, or many from a file.
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
    RequestedTx wanted{};
    std::string request_id{};
    std::string wait{};
    std::string timeout = "10m";
    std::string file{};
};

std::string fresh_request_id(const ApiClient& client) {
    SystemRandom random;
    return UuidV7Generator{}.next(client.unix_now(), random.bits()).to_string();
}

// The outcome is unknown; the request id makes it safe to retry.
void print_retry_hint(const std::string& request_id) {
    fmt::print(stderr,
               "  It may have been accepted. Retry with --request-id {}: a request id is accepted only "
               "once.\n",
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
        if (is_uncertain) print_retry_hint(request_id);
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

// Sends as many requests as needed, in order; shows the results of the earlier ones even if a later one fails.
ExitCode send_all(Session& session, const json::array& items) {
    json::array results;
    auto code = exit_ok;
    std::size_t begin = 0;
    for (auto& [count, body] : batches_of(items)) {
        const auto answer = session.ask({.path = {"tx", "batch"}, .body = std::move(body)});
        if (!answer) {
            code = answer.error();
            fmt::print(stderr, "  This concerns items {} to {}; later items were not sent.\n", begin,
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
    if (options.wanted != RequestedTx{} || !options.request_id.empty() || !options.wait.empty()) {
        return wrong_usage("--file cannot be combined with options of a transaction");
    }
    const auto text = text_of_file(options.file);
    if (!text) return wrong_usage(fmt::format("{} cannot be read", options.file));
    const auto items = items_of(*text);
    if (!items) return wrong_usage(fmt::format("{}: {}", options.file, items.error()));
    if (items->empty()) return wrong_usage(fmt::format("{} contains no transaction", options.file));
    return send_all(session, *items);
}

void add_what(CLI::App& command, RequestedTx& wanted) {
    const std::string group = "Transaction";
    command.add_option("--from", wanted.from, "The submitter: eip155:1:0x…, or 0x… if the node serves a single chain")
        ->type_name("SUBMITTER")
        ->group(group);
    command.add_option("--to", wanted.to, "The recipient, or the contract to call")
        ->type_name("ADDRESS")
        ->check(address_check())
        ->group(group);
    command.add_option("--value", wanted.value, "The value in wei, or for example \"0.1 ether\" or 50gwei")
        ->type_name("AMOUNT")
        ->check(amount_check())
        ->group(group);
    command.add_option("--data", wanted.data, "Calldata in hexadecimal, or @FILE")->type_name("DATA")->group(group);
    command.add_option("--call", wanted.call, "The function to call, for example \"transfer(address,uint256)\"")
        ->type_name("FUNCTION")
        ->group(group);
    // Not allow_extra_args, which would split an argument in brackets.
    constexpr int most_arguments = 1000;
    command
        .add_option("--args", wanted.arguments,
                    "The function's arguments; arrays as JSON; a negative first one as --args=-5")
        ->type_name("VALUE…")
        ->expected(1, most_arguments)
        ->allow_extra_args(false)
        ->group(group);
    command.add_flag("--deploy", wanted.deploy, "Deploy a contract with the code in --data")->group(group);
    command
        .add_option("--valid-until", wanted.valid_until,
                    "Do not start the transaction after this time, for example 2030-01-01T12:00:00Z")
        ->type_name("TIME")
        ->group(group);
}

void add_price(CLI::App& command, RequestedTx& wanted) {
    const std::string group = "Fees";
    command.add_option("--gas", wanted.gas, "The gas limit; default: estimated")
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
    add_fee("--max-fee", wanted.max_fee, "Maximum fee per gas, for example 30gwei");
    add_fee("--max-priority-fee", wanted.max_priority_fee, "Maximum priority fee (tip) per gas");
    add_fee("--gas-price", wanted.gas_price, "Gas price of a legacy transaction");
}

}  // namespace

void add_tx_send(CLI::App& tx, Work& chosen) {
    const auto options = std::make_shared<SendOptions>();
    auto* command = add_command(tx, chosen, "send", "Send a transaction, or many from a file", options, send);
    add_what(*command, options->wanted);
    add_price(*command, options->wanted);
    command
        ->add_option("--request-id", options->request_id,
                     "Your own id for the transaction; retries with the same id are safe")
        ->type_name("REQUEST");
    command->add_option("--wait", options->wait, "Wait until it is mined or confirmed")
        ->type_name("mined|confirmed")
        ->check(one_of_check({"mined", "confirmed"}));
    command->add_option("--timeout", options->timeout, "Maximum time to wait")
        ->type_name("DURATION")
        ->check(duration_check())
        ->capture_default_str();
    command->add_option("--file", options->file, "A JSON file of transactions in the API's format; - is stdin")
        ->type_name("FILE");
}

}  // namespace fencepost::cli
