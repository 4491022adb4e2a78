#include "cli/tx_view.hpp"

#include <fmt/format.h>

#include "cli/json_fields.hpp"
#include "cli/table.hpp"

namespace fencepost::cli {
namespace {

Cell state_cell(const json::value& transaction) {
    const auto text = state_text(transaction);
    return {text, style_of(text)};
}

std::string error_text(const json::value& transaction) {
    const auto code = text_at(transaction, "/error/code");
    const auto detail = text_at(transaction, "/error/detail");
    return code.empty() || detail.empty() ? code + detail : fmt::format("{}: {}", code, detail);
}

std::string to_text(const json::value& transaction) {
    if (find(transaction, "/payload") == nullptr) return "";
    const auto to = text_at(transaction, "/payload/to");
    return to.empty() ? "(a new contract)" : to;
}

Cell outcome_cell(const json::value& transaction) {
    const auto succeeded = bool_at(transaction, "/receipt/succeeded");
    if (!succeeded) return {""};
    if (*succeeded && find(transaction, "/error") != nullptr) return {"replaced by a no-op transaction"};
    return *succeeded ? Cell("succeeded", Style::good) : Cell("reverted", Style::bad);
}

void add_receipt(Sheet& sheet, const json::value& transaction) {
    sheet.add("hash", {text_at(transaction, "/txHash")});
    sheet.add("block", {text_at(transaction, "/blockNumber")});
    sheet.add("outcome", outcome_cell(transaction));
    if (find(transaction, "/blockNumber") != nullptr)
        sheet.add("confirmations", text_at(transaction, "/confirmations"));
    sheet.add("gas used", {text_at(transaction, "/receipt/gasUsed")});
    sheet.add("gas price", {amount_at(transaction, "/receipt/effectiveGasPrice")});
    sheet.add("contract", {text_at(transaction, "/receipt/contractAddress")});
}

void add_payload(Sheet& sheet, const json::value& transaction) {
    sheet.add("to", {to_text(transaction)});
    sheet.add("value", {amount_at(transaction, "/payload/value")});
    const auto data = text_at(transaction, "/payload/data");
    if (data != "0x") sheet.add("data", {data});
    sheet.add("gas limit", {text_at(transaction, "/payload/gas")});
    sheet.add("fee", {text_at(transaction, "/payload/fee")});
    sheet.add("valid until", {text_at(transaction, "/payload/validUntil")});
}

std::string none(const Paint& paint, std::string_view what) { return paint(Style::dim, what) + "\n"; }

}  // namespace

std::string state_text(const json::value& transaction) {
    const auto state = text_at(transaction, "/state");
    const auto sub_state = text_at(transaction, "/subState");
    return sub_state.empty() ? state : fmt::format("{} / {}", state, sub_state);
}

std::string show_transaction(const json::value& transaction, const Paint& paint) {
    Sheet sheet;
    sheet.add("transaction", Cell(text_at(transaction, "/txId"), Style::bold));
    sheet.add("state", state_cell(transaction));
    sheet.add("error", Cell(error_text(transaction), Style::bad));
    if (is_true_at(transaction, "/needsPerson")) {
        sheet.add("needs you", Cell("an operator must decide: see fencepost tx diagnose", Style::attention));
    }
    if (is_true_at(transaction, "/cancelling")) sheet.add("cancelling", {"a no-op transaction replaces it"});
    if (is_true_at(transaction, "/verdictRevoked")) {
        sheet.add("revoked", Cell("a reorg removed it, and an operator cancelled it: the state no longer holds",
                                  Style::attention));
    }
    sheet.add("submitter", {text_at(transaction, "/submitter")});
    sheet.add("request id", {text_at(transaction, "/requestId")});
    add_receipt(sheet, transaction);
    add_payload(sheet, transaction);
    sheet.add("nonce", {text_at(transaction, "/nonce")});
    sheet.add("sent", {text_at(transaction, "/submitAttempts")});
    sheet.add("fencing token", {text_at(transaction, "/fencingToken")});
    sheet.add("re-queued from", {text_at(transaction, "/requeuedFrom")});
    sheet.add("re-queued as", {text_at(transaction, "/requeuedAs")});
    sheet.add("created", {text_at(transaction, "/createdAt")});
    sheet.add("updated", {text_at(transaction, "/updatedAt")});
    sheet.add("confirmed", {text_at(transaction, "/confirmedAt")});
    return sheet.to_string(paint);
}

std::string show_transactions(const json::value& answer, const Paint& paint) {
    Table table({"TRANSACTION", "STATE", "BLOCK", "REQUEST ID", "CREATED", "SUBMITTER"});
    for (const auto& item : array_at(answer, "/items")) {
        table.add({{text_at(item, "/txId")},
                   state_cell(item),
                   {text_at(item, "/blockNumber")},
                   {text_at(item, "/requestId")},
                   {text_at(item, "/createdAt")},
                   {text_at(item, "/submitter")}});
    }
    return table.empty() ? none(paint, "no transactions") : table.to_string(paint);
}

std::string show_batch(const json::value& answer, const Paint& paint) {
    Table table({"ITEM", "STATUS", "TRANSACTION", "REQUEST ID", "PROBLEM"});
    std::size_t number = 0;
    for (const auto& item : array_at(answer, "/items")) {
        const bool refused = find(item, "/transaction") == nullptr;
        table.add({{fmt::to_string(number++)},
                   Cell(text_at(item, "/status"), refused ? Style::bad : Style::good),
                   {text_at(item, "/transaction/txId")},
                   {text_at(item, "/transaction/requestId")},
                   {text_at(item, "/problem/detail")}});
    }
    return table.empty() ? none(paint, "no transactions") : table.to_string(paint);
}

std::string show_history(const json::value& answer, const Paint& paint) {
    Table table({"SINCE", "WHAT", "TIMES", "LAST", "NODE", "DETAIL"});
    for (const auto& item : array_at(answer, "/items")) {
        table.add({{text_at(item, "/firstAt")},
                   {text_at(item, "/kind")},
                   {text_at(item, "/times")},
                   {text_at(item, "/lastAt")},
                   {text_at(item, "/node")},
                   {text_at(item, "/detail")}});
    }
    return table.empty() ? none(paint, "no history") : table.to_string(paint);
}

std::string show_attempts(const json::value& answer, const Paint& paint) {
    Table table({"KIND", "NONCE", "HASH", "MAX FEE", "PRIORITY FEE", "GAS LIMIT"});
    for (const auto& item : array_at(answer, "/items")) {
        const bool legacy = find(item, "/fees/gasPrice") != nullptr;
        table.add({{text_at(item, "/kind")},
                   {text_at(item, "/nonce")},
                   {text_at(item, "/txHash")},
                   {amount_at(item, legacy ? "/fees/gasPrice" : "/fees/maxFeePerGas")},
                   {amount_at(item, "/fees/maxPriorityFeePerGas")},
                   {text_at(item, "/gasLimit")}});
    }
    return table.empty() ? none(paint, "no attempts") : table.to_string(paint);
}

std::string show_confirmations(const json::value& answer, const Paint& paint) {
    Table table({"BLOCK", "HASH", "PARENT"});
    for (const auto& item : array_at(answer, "/items"))
        table.add({{text_at(item, "/number")}, {text_at(item, "/hash")}, {text_at(item, "/parentHash")}});
    const auto summary = fmt::format("required: {}; settled: {}\n", text_at(answer, "/required"),
                                     is_true_at(answer, "/settled") ? "yes" : "no");
    return (table.empty() ? none(paint, "not in a block yet") : table.to_string(paint)) + summary;
}

std::string show_diagnosis(const json::value& diagnosis, const Paint& paint) {
    Sheet sheet;
    sheet.add("transaction", Cell(text_at(diagnosis, "/txId"), Style::bold));
    sheet.add("likely", {text_at(diagnosis, "/likely")});
    sheet.add("nonce", {text_at(diagnosis, "/nonce")});
    sheet.add("missing nonce", {text_at(diagnosis, "/gap")});
    sheet.add("other transaction", {text_at(diagnosis, "/other")});
    sheet.add("short by", {amount_at(diagnosis, "/shortBy")});
    sheet.add("window", {text_at(diagnosis, "/window/size")});
    sheet.add("limited by", {text_at(diagnosis, "/window/limit")});
    sheet.add("since", {text_at(diagnosis, "/window/since")});
    sheet.add("queued behind", {text_at(diagnosis, "/window/behind")});
    return sheet.to_string(paint) + text_at(diagnosis, "/sentence") + "\n";
}

std::string show_command(const json::value& command, const Paint& paint) {
    const auto id = text_at(command, "/txId");
    const auto about = id.empty() ? text_at(command, "/submitter") : id;
    return fmt::format("{} of {} requested {}\n", text_at(command, "/kind"), about,
                       paint(Style::dim, fmt::format("(command {})", text_at(command, "/commandId"))));
}

}  // namespace fencepost::cli
