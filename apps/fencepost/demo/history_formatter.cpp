#include "demo/history_formatter.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::demo {
namespace {

constexpr std::size_t longest_name = 16;
constexpr std::size_t longest_move = 24;

/// The state that a history entry leads to, as the API names it; none if it changes no state.
std::optional<std::string_view> state_after(HistoryKind kind) {
    switch (kind) {
        case HistoryKind::accepted:
            return name_of(State::queued);
        case HistoryKind::allocated:
            return name_of(State::allocated);
        case HistoryKind::broadcast:
            return name_of(State::tracking);
        case HistoryKind::mined:
            return name_of(SubState::mined);
        case HistoryKind::forked:
            return name_of(SubState::forked);
        case HistoryKind::confirmed:
            return name_of(State::confirmed);
        case HistoryKind::failed:
            return name_of(State::failed_final);
        case HistoryKind::cancelled:
            return name_of(State::cancelled);
        case HistoryKind::rejected:
            return name_of(State::rejected);
        case HistoryKind::stuck:
            return name_of(State::stuck);
        case HistoryKind::resubmitted:
        case HistoryKind::bumped:
        case HistoryKind::filler:
        case HistoryKind::diagnosed:
        case HistoryKind::requeued:
            return std::nullopt;
    }
    FP_UNREACHABLE();
}

// Shortened in the middle: the ends identify a hash.
std::string short_hash(const TxHash& hash) {
    constexpr std::size_t shown = 4;
    return to_hex_prefixed(hash.view().first(shown)) + "…";
}

std::string detail_of(const TxView& transaction, const HistoryEntry& entry) {
    const auto& text = entry.step.detail;
    const bool shows_hash = entry.step.kind == HistoryKind::broadcast || entry.step.kind == HistoryKind::filler ||
                            entry.step.kind == HistoryKind::bumped;
    if (!shows_hash || !transaction.hash) return text;
    return text.empty() ? short_hash(*transaction.hash) : fmt::format("{}  {}", short_hash(*transaction.hash), text);
}

// Pads to terminal columns: the arrow has one column and three bytes.
std::string padded(std::string text, std::size_t columns) {
    std::size_t width = 0;
    for (const char c : text)
        width += (static_cast<unsigned char>(c) & 0xc0U) == 0x80U ? 0 : 1;
    if (width < columns) text.append(columns - width, ' ');
    return text;
}

std::string_view colour_of(std::string_view state) {
    if (state == name_of(State::confirmed)) return "\033[32m";
    if (state == name_of(State::failed_final) || state == name_of(State::rejected)) return "\033[31m";
    if (state == name_of(State::cancelled) || state == name_of(State::stuck) || state == name_of(SubState::forked)) {
        return "\033[33m";
    }
    return "\033[36m";
}

}  // namespace

std::string short_name(const TxView& transaction) {
    auto name = transaction.request ? transaction.request->value() : fmt::format("{}", transaction.id);
    if (name.size() > longest_name) name = name.substr(0, longest_name - 1) + "…";
    return name;
}

std::vector<HistoryLine> HistoryFormatter::format_new(const TxView& transaction,
                                                      const std::vector<HistoryEntry>& history) {
    auto& printed = printed_[transaction.id];
    std::vector<HistoryLine> lines;
    for (std::size_t i = printed.steps; i < history.size(); ++i) {
        const auto& entry = history[i];
        if (entry.first_at < options_.since) {
            printed.state = state_after(entry.step.kind).value_or(printed.state);
        } else {
            lines.push_back({entry.first_at, line(transaction, entry, printed)});
        }
    }
    printed.steps = history.size();
    return lines;
}

std::string HistoryFormatter::coloured(std::string_view text, std::string_view state) const {
    if (!options_.colours) return std::string(text);
    return fmt::format("{}{}\033[0m", colour_of(state), text);
}

std::string HistoryFormatter::line(const TxView& transaction, const HistoryEntry& entry, PrintedSteps& printed) const {
    const std::chrono::duration<double> after = entry.first_at - options_.since;
    const auto next = state_after(entry.step.kind);
    std::string move;
    if (!next || *next == printed.state) {
        move = name_of(entry.step.kind);
    } else {
        move = printed.state.empty() ? std::string(*next) : fmt::format("{} → {}", printed.state, *next);
        printed.state = *next;
    }
    auto line = fmt::format("{:6.1f} s  {}  {}", after.count(), padded(short_name(transaction), longest_name),
                            coloured(padded(std::move(move), longest_move), printed.state));
    const auto detail = detail_of(transaction, entry);
    if (!detail.empty()) line += "  " + detail;
    while (line.ends_with(' '))
        line.pop_back();
    return line;
}

}  // namespace fencepost::demo
