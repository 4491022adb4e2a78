#include "api/query/submitter_view.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/async/cancellation.hpp"
#include "base/async/task_group.hpp"

namespace fencepost::api {
namespace {

constexpr std::size_t asked_at_once = 8;

/// The state that the concurrent balance requests of one page share.
struct Asking {
    std::vector<SubmitterPicture>& pictures;
    std::size_t next = 0;
    std::map<ChainRef, std::string> silent{};
};

Task<void> ask_in_turn(Service* service, Asking* asking) {
    while (asking->next < asking->pictures.size()) {
        auto& picture = asking->pictures[asking->next++];
        const auto chain = picture.submitter.chain();
        if (const auto silent = asking->silent.find(chain); silent != asking->silent.end()) {
            picture.balance_error = silent->second;
            continue;
        }
        co_await add_balance(service, &picture);
        if (picture.balance_error) asking->silent.emplace(chain, *picture.balance_error);
    }
}

}  // namespace

Task<Result<SubmitterPicture, StoreError>> look_at_submitter(Service* service, SubmitterId submitter) {
    auto view = co_await service->parts.queries.submitter(submitter);
    if (!view) co_return err(view.error());
    const auto allocations = co_await service->parts.relaxed_nonces.allocations(submitter);
    if (!allocations) co_return err(allocations.error());
    const auto* const served = service->chain(submitter.chain());
    co_return SubmitterPicture{.submitter = submitter,
                               .view = *std::move(view),
                               .allocations = *allocations,
                               .chain = served == nullptr ? std::nullopt : std::optional(served->name),
                               .window = service->parts.submitters.window(submitter)};
}

bool is_on_record(const SubmitterPicture& picture) {
    const auto& view = picture.view;
    return view.next_nonce || view.status_since || view.lease || !view.counts.empty();
}

Task<void> add_balance(Service* service, SubmitterPicture* picture) {
    const auto* const served = service->chain(picture->submitter.chain());
    if (served == nullptr) {
        picture->balance_error = "this node does not serve its chain";
        co_return;
    }
    const auto balance = co_await served->chain.balance(picture->submitter, At::latest);
    if (balance) {
        picture->balance = *balance;
    } else {
        picture->balance_error = fmt::format("{}: {}", name_of(balance.error().kind), balance.error().what);
    }
}

Task<void> add_balances(Service* service, std::vector<SubmitterPicture>* pictures) {
    co_await throw_if_cancelled();
    Asking asking{.pictures = *pictures};
    TaskGroup askers(service->executor);
    for (std::size_t i = 0; i < std::min(asked_at_once, pictures->size()); ++i)
        askers.spawn(ask_in_turn(service, &asking));
    co_await askers.join();
}

}  // namespace fencepost::api
