#include "api/query/submitter_view.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/async/cancellation.hpp"
#include "base/async/task_group.hpp"

namespace fencepost::api {
namespace {

constexpr std::size_t max_concurrent_balances = 8;

/// The state that the concurrent balance requests of one page share.
struct BalanceRequests {
    std::vector<SubmitterDetails>& all_details;
    std::size_t next = 0;
    std::map<ChainRef, std::string> unreachable{};
};

Task<void> request_balances(Service* service, BalanceRequests* requests) {
    while (requests->next < requests->all_details.size()) {
        auto& details = requests->all_details[requests->next++];
        const auto chain = details.submitter.chain();
        if (const auto unreachable = requests->unreachable.find(chain); unreachable != requests->unreachable.end()) {
            details.balance_error = unreachable->second;
            continue;
        }
        co_await add_balance(service, &details);
        if (details.balance_error) requests->unreachable.emplace(chain, *details.balance_error);
    }
}

}  // namespace

Task<Result<SubmitterDetails, StoreError>> load_submitter_details(Service* service, SubmitterId submitter) {
    auto view = co_await service->dependencies.queries.submitter(submitter);
    if (!view) co_return err(view.error());
    const auto allocations = co_await service->dependencies.relaxed_nonces.allocations(submitter);
    if (!allocations) co_return err(allocations.error());
    const auto* const served = service->chain(submitter.chain());
    co_return SubmitterDetails{.submitter = submitter,
                               .view = *std::move(view),
                               .allocations = *allocations,
                               .chain = served == nullptr ? std::nullopt : std::optional(served->name),
                               .window = service->dependencies.submitters.window(submitter)};
}

bool is_on_record(const SubmitterDetails& details) {
    const auto& view = details.view;
    return view.next_nonce || view.status_since || view.lease || !view.counts.empty();
}

Task<void> add_balance(Service* service, SubmitterDetails* details) {
    const auto* const served = service->chain(details->submitter.chain());
    if (served == nullptr) {
        details->balance_error = "this node does not serve its chain";
        co_return;
    }
    const auto balance = co_await served->chain.balance(details->submitter, At::latest);
    if (balance) {
        details->balance = *balance;
    } else {
        details->balance_error = fmt::format("{}: {}", name_of(balance.error().kind), balance.error().what);
    }
}

Task<void> add_balances(Service* service, std::vector<SubmitterDetails>* all_details) {
    co_await throw_if_cancelled();
    BalanceRequests requests{.all_details = *all_details};
    TaskGroup askers(service->executor);
    for (std::size_t i = 0; i < std::min(max_concurrent_balances, all_details->size()); ++i)
        askers.spawn(request_balances(service, &requests));
    co_await askers.join();
}

}  // namespace fencepost::api
