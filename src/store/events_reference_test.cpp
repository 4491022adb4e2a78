// docs/reference/events.md has a section for each event that is written to the outbox, and a row for each of its
// fields.
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "store/json_codec.hpp"

namespace fencepost::store {
namespace {

using Names = std::set<std::string>;

std::string events_page() {
    std::ifstream file(FENCEPOST_SOURCE_DIR "/docs/reference/events.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

// The names after `mark` at the beginning of a line, up to the next backtick.
Names names_after(const std::string& text, const std::string& mark) {
    Names names;
    for (auto at = text.find("\n" + mark); at != std::string::npos; at = text.find("\n" + mark, at + 1)) {
        const auto begin = at + 1 + mark.size();
        names.insert(text.substr(begin, text.find('`', begin) - begin));
    }
    return names;
}

Names fields_of(const std::string& page, std::string_view event) {
    const auto begin = page.find("\n## `" + std::string(event) + "`");
    if (begin == std::string::npos) return {};
    return names_after(page.substr(begin, page.find("\n## ", begin + 1) - begin), "| `");
}

Names keys_of(const TxEventBody& event) {
    Names keys;
    for (const auto& [key, value] : boost::json::parse(encode(event)).as_object())
        keys.emplace(key);
    return keys;
}

// One of each, with every optional field.
std::vector<TxEventBody> all_events() {
    return {TxAccepted{.submitter = SubmitterId::evm(1, {}), .requeued_from = TxId(Uuid{})},
            TxSubmitted{},
            TxReceiptUpdated{},
            TxConfirmed{},
            TxFailed{},
            TxVerdictRevoked{}};
}

TEST(EventsReference, LooksAtEveryEvent) {
    std::set<std::size_t> alternatives;
    for (const auto& event : all_events())
        alternatives.insert(event.index());
    EXPECT_EQ(alternatives.size(), std::variant_size_v<TxEventBody>);
}

TEST(EventsReference, HasASectionForEachEventAndNoOther) {
    Names written;
    for (const auto& event : all_events())
        written.emplace(name_of(event));
    EXPECT_EQ(names_after(events_page(), "## `"), written) << "docs/reference/events.md is stale";
}

TEST(EventsReference, HasARowForEachFieldAndNoOther) {
    const auto page = events_page();
    for (const auto& event : all_events())
        EXPECT_EQ(fields_of(page, name_of(event)), keys_of(event)) << name_of(event);
}

TEST(EventsReference, NoticesAMissingSectionAndAMissingRow) {
    const std::string page = "\n## `TxFailed`\n\n| `reason` | text |\n\n## `TxOther`\n\n| `other` | text |\n";
    EXPECT_EQ(names_after(page, "## `"), (Names{"TxFailed", "TxOther"}));
    EXPECT_EQ(fields_of(page, "TxFailed"), Names{"reason"});
    EXPECT_EQ(fields_of(page, "TxAccepted"), Names{});
    EXPECT_EQ(keys_of(TxFailed{"x"}), Names{"reason"});
}

}  // namespace
}  // namespace fencepost::store
