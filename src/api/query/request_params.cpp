#include "api/query/request_params.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/json/json_output.hpp"
#include "api/submit/tx_request.hpp"
#include "base/text/nearest.hpp"

namespace fencepost::api {
namespace {

using http::problem;
using http::ProblemKind;

constexpr std::size_t longest_page = 500;

bool is_json(std::string_view content_type) {
    std::string type(content_type.substr(0, content_type.find(';')));
    std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return type == "application/json";
}

}  // namespace

http::Response store_problem(StoreError error) {
    switch (error) {
        case StoreError::unavailable:
            return temporary_problem(ProblemKind::store_unavailable,
                                     "The database does not answer; nothing was changed. Retry in a moment.",
                                     std::chrono::seconds(1));
        case StoreError::unknown_outcome:
            return temporary_problem(
                ProblemKind::store_unavailable,
                "The connection to the database was lost during the write, and the outcome is unknown. Retry: "
                "nothing is executed twice.",
                std::chrono::seconds(1));
    }
    FP_UNREACHABLE();
}

http::Response forbidden_submitter(const SubmitterId& submitter) {
    return problem(ProblemKind::forbidden, fmt::format("This API key may not use {}.", submitter));
}

http::Response wrong_field(std::string field, std::string detail) {
    const auto sentence = fmt::format("{}: {}.", field, detail);
    return problem(ProblemKind::invalid_request, sentence, {{std::move(field), std::move(detail)}});
}

OrProblem<http::Query> read_query(const http::Request& request, const std::vector<std::string>& names) {
    auto query = http::Query::parse(request.query);
    if (!query) return err(problem(ProblemKind::malformed_request, query.error().what));
    for (const auto& [name, value] : *query) {
        if (std::ranges::find(names, name) != names.end()) continue;
        const auto meant = nearest(name, names);
        return err(wrong_field(
            name, meant           ? fmt::format("unknown parameter; did you mean {}?", *meant)
                  : names.empty() ? std::string("this path takes no parameters")
                                  : fmt::format("unknown parameter; the parameters are {}", fmt::join(names, ", "))));
    }
    return *std::move(query);
}

OrProblem<SubmitterId> read_submitter(const Service& service, const Caller& caller, std::string_view text,
                                      std::string field) {
    auto submitter = read_submitter(text, service.chain_names());
    if (!submitter) return err(wrong_field(std::move(field), submitter.error().what));
    if (!caller.may_use(*submitter)) return err(forbidden_submitter(*submitter));
    return *std::move(submitter);
}

Task<OrProblem<TxView>> find_tx(Service* service, Caller caller, std::string id) {
    const auto uuid = Uuid::parse(id);
    if (!uuid) co_return err(wrong_field("txId", uuid.error().what));
    auto tx = co_await service->dependencies.queries.by_id(TxId(*uuid));
    if (!tx) co_return err(store_problem(tx.error()));
    if (!*tx) {
        co_return err(problem(ProblemKind::not_found, fmt::format("There is no transaction {}.", uuid->to_string())));
    }
    if (!caller.may_use((*tx)->submitter)) co_return err(forbidden_submitter((*tx)->submitter));
    co_return **std::move(tx);
}

std::uint64_t confirmations_of(const Service& service, const TxView& tx) {
    if (!tx.receipt) return 0;
    const auto* const served = service.chain(tx.submitter.chain());
    const auto head = served == nullptr ? std::nullopt : served->head();
    if (head) return head->number.above(tx.receipt->block_number);
    // A node that has just started knows no head yet; a settled transaction had the required confirmations.
    return is_final(tx.position.state) ? service.dependencies.submitters.required_confirmations(tx.submitter) : 0;
}

std::string tx_json_for(const Service& service, const Caller& caller, const TxView& tx) {
    return tx_json(tx, confirmations_of(service, tx), detail_for(caller));
}

OrProblem<Page> read_page(const http::Query& query) {
    Page page{.after = std::string(query.find("after").value_or(""))};
    const auto limit = query.find("limit");
    if (!limit) return page;
    const auto [end, error] = std::from_chars(limit->data(), limit->data() + limit->size(), page.limit);
    const bool is_number = error == std::errc{} && end == limit->data() + limit->size();
    if (!is_number || page.limit == 0 || page.limit > longest_page) {
        return err(wrong_field("limit", fmt::format("must be a number from 1 to {}", longest_page)));
    }
    return page;
}

std::optional<http::Response> refuse_non_json(const http::Request& request) {
    const auto type = request.headers.find("Content-Type");
    if (type && is_json(*type)) return std::nullopt;
    return problem(ProblemKind::unsupported_media_type, "Send the body as JSON: Content-Type: application/json.");
}

}  // namespace fencepost::api
