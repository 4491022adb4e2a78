// Text in columns for the terminal. Column widths count characters, not bytes.
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

/// One heading per column and one line per row.
class Table {
public:
    explicit Table(std::vector<std::string> headings);

    /// Takes one cell per heading. An empty cell is shown as a dash, so that it does not look like an error.
    void add(std::vector<Cell> row);
    [[nodiscard]] bool empty() const { return rows_.size() == 1; }

    /// Every line ends with a newline and has no trailing blanks.
    [[nodiscard]] std::string to_string(const Paint& paint) const;

private:
    std::vector<std::vector<Cell>> rows_;  // the first is the headings
};

/// The properties of one object: one line with label and text per property. Properties without text are left out.
class Sheet {
public:
    void add(std::string label, Cell cell);
    [[nodiscard]] std::string to_string(const Paint& paint) const;

private:
    std::vector<std::pair<std::string, Cell>> lines_;
};

}  // namespace fencepost::cli
