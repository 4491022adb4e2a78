#include "cli/submitter_view.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/json_fields.hpp"
#include "cli/table.hpp"

namespace fencepost::cli {
namespace {

Cell status_cell(const json::value& submitter) {
    const auto status = text_at(submitter, "/status");
    return {status, style_of(status)};
}

std::string balance_text(const json::value& submitter) {
    const auto balance = amount_at(submitter, "/balance");
    const auto error = text_at(submitter, "/balanceError");
    return balance.empty() && !error.empty() ? fmt::format("unknown: {}", error) : balance;
}

// Omits states without transactions.
std::string counts_text(const json::value& submitter) {
    const auto* const counts = find(submitter, "/counts");
    if (counts == nullptr || !counts->is_object()) return "";
    std::string text;
    for (const auto& [state, count] : counts->get_object()) {
        const auto number = text_at(*counts, "/" + std::string(state));
        if (number != "0") text += fmt::format("{}{} {}", text.empty() ? "" : ", ", std::string_view(state), number);
    }
    return text;
}

std::string lease_text(const json::value& submitter) {
    if (find(submitter, "/lease") == nullptr) return "none";
    const auto owner = text_at(submitter, "/lease/owner");
    const auto until = text_at(submitter, "/lease/expiresAt");
    if (!is_true_at(submitter, "/lease/held")) return fmt::format("none (last: {})", owner);
    return fmt::format("{}, until {}, token {}", owner, until, text_at(submitter, "/lease/fencingToken"));
}

std::string in_flight_text(const json::value& submitter) {
    const auto& items = array_at(submitter, "/inFlight");
    return items.empty() ? text_at(submitter, "/inFlightState")
                         : fmt::format("{} of {}", items.size(), text_at(submitter, "/window"));
}

// "64 (auto)", or "8 (auto; limited by pool_full since …)". An older server sends only the number.
std::string window_text(const json::value& submitter) {
    const auto configured = text_at(submitter, "/windowConfigured");
    const auto limit = text_at(submitter, "/windowLimit");
    const auto since = text_at(submitter, "/windowSince");
    std::string why = configured == "auto" ? configured : "";
    if (limit == "ceiling") {
        why += fmt::format("{}limited by nonce.window", why.empty() ? "" : "; ");
    } else if (!limit.empty() && limit != "demand") {
        why += fmt::format("{}limited by {}", why.empty() ? "" : "; ", limit);
        if (!since.empty()) why += fmt::format(" since {}", since);
    }
    const auto size = text_at(submitter, "/window");
    return why.empty() ? size : fmt::format("{} ({})", size, why);
}

constexpr std::size_t most_named = 5;

void add_failing(const json::array& entries, std::string_view name, std::vector<std::string>& failing) {
    for (const auto& entry : entries) {
        if (bool_at(entry, "/able") == false)
            failing.push_back(fmt::format("{} ({})", text_at(entry, name), text_at(entry, "/cause")));
    }
}

// "yes", or the chains and signers that the node cannot use, and why.
std::string ability_text(const json::value& node) {
    const auto& chains = array_at(node, "/ability/chains");
    std::vector<std::string> failing;
    add_failing(chains, "/chain", failing);
    add_failing(array_at(node, "/ability/signers"), "/submitter", failing);
    if (failing.empty()) return chains.empty() ? "unknown" : "yes";
    const auto more = failing.size() - std::min(failing.size(), most_named);
    failing.resize(failing.size() - more);
    return fmt::format("not {}{}", fmt::join(failing, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

std::string show_submitter(const json::value& submitter, const Paint& paint) {
    Sheet sheet;
    sheet.add("submitter", Cell(text_at(submitter, "/submitter"), Style::bold));
    sheet.add("chain", {text_at(submitter, "/chain")});
    sheet.add("status", status_cell(submitter));
    sheet.add("reason", {text_at(submitter, "/statusReason")});
    sheet.add("since", {text_at(submitter, "/statusSince")});
    sheet.add("stopped", Cell(text_at(submitter, "/stopped"), Style::attention));
    sheet.add("served by", {lease_text(submitter)});
    sheet.add("in flight", {in_flight_text(submitter)});
    sheet.add("window", {window_text(submitter)});
    sheet.add("next nonce", {text_at(submitter, "/nextNonce")});
    sheet.add("balance", {balance_text(submitter)});
    sheet.add("transactions", {counts_text(submitter)});
    sheet.add("oldest pending", {text_at(submitter, "/oldestPending/txId")});
    sheet.add("accepted", {text_at(submitter, "/oldestPending/createdAt")});
    return sheet.to_string(paint);
}

std::string show_submitters(const json::value& answer, const Paint& paint) {
    Table table({"SUBMITTER", "STATUS", "PENDING", "CONFIRMED", "FAILED", "BALANCE", "STOPPED"});
    for (const auto& item : array_at(answer, "/items")) {
        table.add({{text_at(item, "/submitter")},
                   status_cell(item),
                   {text_at(item, "/pending")},
                   {text_at(item, "/confirmed")},
                   {text_at(item, "/failed")},
                   {balance_text(item)},
                   Cell(text_at(item, "/stopped"), Style::attention)});
    }
    return table.empty() ? paint(Style::dim, "no submitters") + "\n" : table.to_string(paint);
}

std::string show_chains(const json::value& answer, const Paint& paint) {
    Table table({"CHAIN", "ID", "ENDPOINT", "STATE", "HEAD", "LAG", "AGE"});
    for (const auto& chain : array_at(answer, "/items")) {
        const auto name = text_at(chain, "/name");
        const auto id = text_at(chain, "/id");
        table.add({Cell(name, Style::bold),
                   {id},
                   {""},
                   {""},
                   {text_at(chain, "/head/number")},
                   {""},
                   {text_at(chain, "/head/age")}});
        for (const auto& endpoint : array_at(chain, "/endpoints")) {
            table.add({{name},
                       {id},
                       {text_at(endpoint, "/name")},
                       {text_at(endpoint, "/state")},
                       {text_at(endpoint, "/head")},
                       {text_at(endpoint, "/lag")},
                       {""}});
        }
    }
    return table.empty() ? paint(Style::dim, "no chains") + "\n" : table.to_string(paint);
}

std::string show_cluster(const json::value& answer, const Paint& paint) {
    Table table({"NODE", "ADDRESS", "STARTED", "HEARTBEAT", "ABLE"});
    const auto asked = text_at(answer, "/node");
    for (const auto& node : array_at(answer, "/nodes")) {
        const auto id = text_at(node, "/id");
        table.add({id == asked ? Cell(id + " (this node)", Style::bold) : Cell(id),
                   {text_at(node, "/address")},
                   {text_at(node, "/startedAt")},
                   {text_at(node, "/heartbeatAt")},
                   {ability_text(node)}});
    }
    return table.to_string(paint) + paint(Style::dim, fmt::format("version {}\n", text_at(answer, "/version")));
}

}  // namespace fencepost::cli
