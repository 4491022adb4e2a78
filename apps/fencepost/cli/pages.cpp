#include "cli/pages.hpp"

#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "cli/validators.hpp"

namespace fencepost::cli {
namespace {

const std::string most_at_once = "500";

ApiCall page_of(ApiCall call, const PageOptions& options, const std::string& after) {
    call.query.emplace_back("after", after);
    call.query.emplace_back("limit", options.all && options.limit.empty() ? most_at_once : options.limit);
    return call;
}

// Combines all pages into one document.
Result<Document, ExitCode> every_page(Session& session, const ApiCall& call, const PageOptions& options) {
    json::array items;
    std::string after = options.after;
    for (;;) {
        const auto answer = session.ask(page_of(call, options, after));
        if (!answer) return err(answer.error());
        const auto& more = array_at(answer->value, "/items");
        items.insert(items.end(), more.begin(), more.end());
        const auto next = text_at(answer->value, "/next");
        if (next.empty() || next == after) break;  // a cursor that points to itself would never end
        after = next;
    }
    json::value whole = json::object{{"items", std::move(items)}, {"next", nullptr}};
    auto text = json::serialize(whole);
    return Document{.text = std::move(text), .value = std::move(whole)};
}

}  // namespace

void add_page_options(CLI::App& command, PageOptions& options) {
    command.add_option("--limit", options.limit, "Maximum number of items, at most 500")
        ->type_name("NUMBER")
        ->check(count_check())
        ->default_str("50");
    command.add_option("--after", options.after, "Continue after the end of an earlier list")->type_name("CURSOR");
    command.add_flag("--all", options.all, "Fetch all pages");
}

std::string next_page_hint(const json::value& page, const Paint& paint) {
    const auto next = text_at(page, "/next");
    return next.empty() ? "" : paint(Style::dim, fmt::format("more items: use --after {} or --all\n", next));
}

ExitCode show_list(Session& session, const ApiCall& call, const PageOptions& options, const Render& render) {
    const auto answer =
        options.all ? every_page(session, call, options) : session.ask(page_of(call, options, options.after));
    if (!answer) return answer.error();
    return session.show(*answer, [&render](const json::value& page, const Paint& paint) {
        return render(page, paint) + next_page_hint(page, paint);
    });
}

}  // namespace fencepost::cli
