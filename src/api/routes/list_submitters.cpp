// GET /api/v1/submitters: all submitters that are configured on this node or have rows in the store, in pages.
#include <algorithm>
#include <set>
#include <utility>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/query/submitter_view.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

using Names = std::vector<SubmitterId>;

// Includes configured submitters, which may have sent nothing yet.
Task<Result<Names, StoreError>> names_of_page(Service* service, Caller caller, Page page) {
    std::set<SubmitterId> names;
    const auto add = [&](const SubmitterId& name) {
        if (name.to_string() > page.after && caller.may_use(name)) names.insert(name);
    };
    for (const auto& name : caller.submitters.value_or(service->dependencies.submitters.configured()))
        add(name);
    // A restricted API key names all its submitters itself.
    if (!caller.submitters) {
        const auto known = co_await service->dependencies.queries.submitters(page.after, page.limit);
        if (!known) co_return err(known.error());
        std::ranges::for_each(*known, add);
    }
    Names chosen(names.begin(), names.end());
    if (chosen.size() > page.limit)
        chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(page.limit), chosen.end());
    co_return chosen;
}

Task<http::Response> answer_list_submitters(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    const auto query = read_query(request, {"after", "limit"});
    if (!query) co_return query.error();
    const auto page = read_page(*query);
    if (!page) co_return page.error();
    const auto names = co_await names_of_page(service, *caller, *page);
    if (!names) co_return store_problem(names.error());
    std::vector<SubmitterDetails> all_details;
    for (const auto& name : *names) {
        auto details = co_await load_submitter_details(service, name);
        if (!details) co_return store_problem(details.error());
        all_details.push_back(*std::move(details));
    }
    co_await add_balances(service, &all_details);
    std::vector<std::string> items;
    items.reserve(all_details.size());
    for (const auto& details : all_details)
        items.push_back(submitter_json(details, detail_for(*caller)));
    const bool may_go_on = names->size() == page->limit;
    co_return json_response(list_json(items, may_go_on ? std::optional(names->back().to_string()) : std::nullopt));
}

}  // namespace

http::Route list_submitters(Service& service) {
    return {http::Method::get, "/api/v1/submitters", handled_by(service, answer_list_submitters)};
}

}  // namespace fencepost::api::routes
