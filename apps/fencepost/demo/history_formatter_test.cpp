#include "demo/history_formatter.hpp"

#include <gtest/gtest.h>

namespace fencepost::demo {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

constexpr UnixTime start{std::chrono::seconds(1'700'000'000)};

HistoryEntry step(HistoryKind kind, std::string detail, std::chrono::milliseconds after) {
    return {.step = {kind, std::move(detail)},
            .node = NodeId("node"),
            .token = {},
            .times = 1,
            .first_at = start + after,
            .last_at = start + after};
}

TxView transaction(const std::string& request) {
    return {.submitter = SubmitterId::evm(31'337, Address{}),
            .request = RequestId(request),
            .hash = TxHash{{0x12, 0xab, 0x34, 0xcd, 0x56}}};
}

const std::vector<HistoryEntry> whole_life{
    step(HistoryKind::accepted, "", 0ms), step(HistoryKind::allocated, "nonce 0", 120ms),
    step(HistoryKind::broadcast, "node: accepted", 160ms), step(HistoryKind::mined, "block 7, succeeded", 1'000ms),
    step(HistoryKind::confirmed, "", 4'000ms)};

Lines printed(HistoryFormatter& story, const TxView& view, const std::vector<HistoryEntry>& history) {
    Lines lines;
    for (auto& line : story.format_new(view, history))
        lines.push_back(std::move(line.text));
    return lines;
}

TEST(HistoryFormatter, PrintsEachHistoryEntry) {
    HistoryFormatter story({.since = start});
    EXPECT_EQ(
        printed(story, transaction("order-1"), whole_life),
        (Lines{"   0.0 s  order-1           QUEUED", "   0.1 s  order-1           QUEUED → ALLOCATED        nonce 0",
               "   0.2 s  order-1           ALLOCATED → TRACKING      0x12ab34cd…  node: accepted",
               "   1.0 s  order-1           TRACKING → MINED          block 7, succeeded",
               "   4.0 s  order-1           MINED → CONFIRMED"}));
}

TEST(HistoryFormatter, PrintsEachEntryOnce) {
    HistoryFormatter story({.since = start});
    auto history = whole_life;
    history.resize(2);
    EXPECT_EQ(printed(story, transaction("order-1"), history).size(), 2U);
    EXPECT_EQ(printed(story, transaction("order-1"), history), Lines{});
    EXPECT_EQ(printed(story, transaction("order-1"), whole_life).size(), 3U);
}

TEST(HistoryFormatter, SkipsEntriesBeforeTheStart) {
    HistoryFormatter story({.since = start + 500ms});
    const auto lines = printed(story, transaction("order-1"), whole_life);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], "   0.5 s  order-1           TRACKING → MINED          block 7, succeeded");
}

TEST(HistoryFormatter, NamesEntriesWithoutStateChange) {
    HistoryFormatter story({.since = start});
    const auto lines =
        printed(story, transaction("order-1"),
                {step(HistoryKind::allocated, "nonce 3", 0ms), step(HistoryKind::broadcast, "", 1ms),
                 step(HistoryKind::broadcast, "again", 2ms), step(HistoryKind::diagnosed, "it waits", 3ms)});
    EXPECT_TRUE(lines[2].contains("broadcast ")) << lines[2];
    EXPECT_TRUE(lines[3].contains("diagnosed ")) << lines[3];
}

TEST(HistoryFormatter, UsesColoursOnATerminal) {
    HistoryFormatter story({.since = start, .colours = true});
    const auto lines = printed(story, transaction("order-1"), whole_life);
    EXPECT_TRUE(lines.back().contains("\033[32mMINED → CONFIRMED")) << lines.back();
    EXPECT_TRUE(lines.back().contains("\033[0m"));
}

TEST(HistoryFormatter, UsesTheTransactionIdWithoutARequestId) {
    auto view = transaction("a-very-long-request-id");
    EXPECT_EQ(short_name(view), "a-very-long-req…");
    view.request.reset();
    EXPECT_EQ(short_name(view), "00000000-0000-0…");
}

}  // namespace
}  // namespace fencepost::demo
