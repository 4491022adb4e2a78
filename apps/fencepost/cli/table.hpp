// Text in columns for people. Columns are as wide as what stands in them, counted in characters, not in bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/paint.hpp"

namespace fencepost::cli {

struct Cell {
    std::string text;
    Style style = Style::plain;

    Cell(std::string text_in, Style style_in = Style::plain)  // NOLINT(google-explicit-constructor): most are plain
        : text(std::move(text_in)),
          style(style_in) {}
};

/// A heading a column, a line a row.
class Table {
public:
    explicit Table(std::vector<std::string> headings);

    /// As many cells as there are headings. An empty one is shown as a dash, so that it is not taken for a mistake.
    void add(std::vector<Cell> row);
    [[nodiscard]] bool empty() const { return rows_.size() == 1; }

    /// Every line ends; none ends with blanks.
    [[nodiscard]] std::string to_string(const Paint& paint) const;

private:
    std::vector<std::vector<Cell>> rows_;  // the first is the headings
};

/// What there is to say about one thing: a label and a text a line. What has no text is left out.
class Sheet {
public:
    void add(std::string label, Cell cell);
    [[nodiscard]] std::string to_string(const Paint& paint) const;

private:
    std::vector<std::pair<std::string, Cell>> lines_;
};

}  // namespace fencepost::cli
