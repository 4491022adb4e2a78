// GET /api/v1/tx: transactions in order of acceptance, ascending or descending, in pages.
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

// Approximate bytes: 500 deployments would not fit into one response.
constexpr std::size_t largest_page = std::size_t{4} * 1024 * 1024;

// The value of "next". A letter in front keeps clients from calculating with it, and from using it for the other order.
char letter_of(ListOrder order) { return order == ListOrder::oldest_first ? 's' : 'n'; }

std::string cursor(ListOrder order, AcceptSequence sequence) {
    return fmt::format("{}{}", letter_of(order), sequence.value());
}

std::optional<AcceptSequence> read_cursor(ListOrder order, std::string_view text) {
    std::uint64_t number = 0;
    const auto* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + 1, last, number);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (text.front() != letter_of(order) || error != std::errc{} || end != last || number > most) return std::nullopt;
    return AcceptSequence(number);
}

std::optional<ListOrder> read_order(std::string_view text) {
    if (text == "oldest") return ListOrder::oldest_first;
    if (text == "newest") return ListOrder::newest_first;
    return std::nullopt;
}

std::string all_states() {
    std::vector<std::string_view> names;
    for (const auto& [state, name] : enum_names<State>)
        names.push_back(name);
    return fmt::format("{}", fmt::join(names, ", "));
}

OrProblem<TxFilter> read_filter(const Service& service, const Caller& caller, const http::Request& request) {
    const auto query = read_query(request, {"submitter", "state", "order", "after", "limit"});
    if (!query) return err(query.error());
    const auto page = read_page(*query);
    if (!page) return err(page.error());
    TxFilter filter{.limit = page->limit};
    if (const auto text = query->find("order")) {
        const auto order = read_order(*text);
        if (!order) return err(wrong_field("order", "must be oldest or newest, which names what comes first"));
        filter.order = *order;
    }
    if (!page->after.empty()) {
        filter.after = read_cursor(filter.order, page->after);
        if (!filter.after) {
            return err(wrong_field("after", "must be the \"next\" of an earlier response in the same order"));
        }
    }
    if (const auto text = query->find("submitter")) {
        auto submitter = read_submitter(service, caller, *text, "submitter");
        if (!submitter) return err(std::move(submitter.error()));
        filter.submitter = *std::move(submitter);
    }
    if (const auto text = query->find("state")) {
        filter.state = value_of<State>(*text);
        if (!filter.state) return err(wrong_field("state", fmt::format("must be one of {}", all_states())));
    }
    return filter;
}

// A restricted API key gets the transactions of its submitters, merged into one order.
Task<Result<std::vector<TxView>, StoreError>> list(Service* service, Caller caller, TxFilter filter) {
    if (filter.submitter || !caller.submitters)
        co_return co_await service->dependencies.queries.list(std::move(filter));
    std::vector<TxView> all;
    for (const auto& submitter : *caller.submitters) {
        auto own = filter;
        own.submitter = submitter;
        auto some = co_await service->dependencies.queries.list(std::move(own));
        if (!some) co_return err(some.error());
        std::ranges::move(*some, std::back_inserter(all));
    }
    std::ranges::sort(all, {}, &TxView::sequence);
    if (filter.order == ListOrder::newest_first) std::ranges::reverse(all);
    if (all.size() > filter.limit) all.erase(all.begin() + static_cast<std::ptrdiff_t>(filter.limit), all.end());
    co_return all;
}

Task<http::Response> answer_list_tx(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    const auto filter = read_filter(*service, *caller, request);
    if (!filter) co_return filter.error();
    const auto found = co_await list(service, *caller, *filter);
    if (!found) co_return store_problem(found.error());
    std::vector<std::string> items;
    std::size_t bytes = 0;
    for (const auto& tx : *found) {
        if (bytes > largest_page) break;
        bytes += items.emplace_back(tx_json_for(*service, *caller, tx)).size();
    }
    const bool may_go_on = found->size() == filter->limit || items.size() < found->size();
    if (!may_go_on) co_return json_response(list_json(items));
    co_return json_response(list_json(items, cursor(filter->order, found->at(items.size() - 1).sequence)));
}

}  // namespace

http::Route list_tx(Service& service) { return {http::Method::get, "/api/v1/tx", handled_by(service, answer_list_tx)}; }

}  // namespace fencepost::api::routes
