#include "cli/table.hpp"

#include <algorithm>
#include <cstddef>

#include "base/assert.hpp"

namespace fencepost::cli {
namespace {

// Counts characters: UTF-8 continuation bytes do not count.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string padding(std::string_view text, std::size_t width) { return std::string(width - width_of(text), ' '); }

constexpr std::string_view between = "  ";

}  // namespace

Table::Table(std::vector<std::string> headings) {
    std::vector<Cell> row;
    row.reserve(headings.size());
    for (auto& heading : headings)
        row.emplace_back(std::move(heading), Style::dim);
    rows_.push_back(std::move(row));
}

void Table::add(std::vector<Cell> row) {
    FP_ASSERT(row.size() == rows_.front().size());
    for (auto& cell : row) {
        if (cell.text.empty()) cell = Cell("-", Style::dim);
    }
    rows_.push_back(std::move(row));
}

std::string Table::to_string(const Paint& paint) const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width_of(row[i].text));
    }
    std::string text;
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += paint(row[i].style, row[i].text);
            if (i + 1 < row.size()) text += padding(row[i].text, widths[i]) + std::string(between);
        }
        text += '\n';
    }
    return text;
}

void Sheet::add(std::string label, Cell cell) {
    if (!cell.text.empty()) lines_.emplace_back(std::move(label), std::move(cell));
}

std::string Sheet::to_string(const Paint& paint) const {
    std::size_t width = 0;
    for (const auto& [label, cell] : lines_)
        width = std::max(width, width_of(label));
    std::string text;
    for (const auto& [label, cell] : lines_) {
        text += paint(Style::dim, label) + padding(label, width) + std::string(between);
        text += paint(cell.style, cell.text) + '\n';
    }
    return text;
}

}  // namespace fencepost::cli
