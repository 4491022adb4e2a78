#include "cpp_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fencepost::tidy {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Reads the text token by token. NameList and numbers are separate tokens, so that the quote in 1'000 opens no literal
/// and the R of FOOR"x" no raw string.
class Blanker {
public:
    Blanker(std::string_view text, bool literals) : text_(text), out_(text), literals_(literals) {}

    std::string run() {
        while (at_ < text_.size())
            step();
        return std::move(out_);
    }

private:
    void step() {
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with("//")) {
            blank(at_, line_comment_end());
        } else if (rest.starts_with("/*")) {
            blank(at_, end_after("*/", at_ + 2));
        } else if (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]))) {
            skip_number();
        } else if (is_word(rest[0])) {
            skip_word();
        } else if (rest[0] == '"' || rest[0] == '\'') {
            skip_literal(rest[0]);
        } else {
            ++at_;
        }
    }

    void skip_number() {
        for (; at_ < text_.size(); ++at_) {
            const bool separator = text_[at_] == '\'' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
            if (!is_word(text_[at_]) && text_[at_] != '.' && !separator) return;
        }
    }

    void skip_word() {
        static constexpr std::array<std::string_view, 5> raw_prefixes{"R", "u8R", "uR", "UR", "LR"};
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_]))
            ++at_;
        const bool raw = std::ranges::count(raw_prefixes, text_.substr(begin, at_ - begin)) > 0;
        if (raw && at_ < text_.size() && text_[at_] == '"') skip_raw_string();
    }

    void skip_raw_string() {
        const std::size_t open = std::min(text_.find('(', at_), text_.size());
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t found = text_.find(close, open);
        skip_inside(at_ + 1, found == std::string_view::npos ? text_.size() : found + close.size() - 1);
    }

    void skip_literal(char quote) {
        std::size_t end = at_ + 1;
        // A quote that is not closed in its line is not a literal but, for example, an apostrophe in an #error.
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        skip_inside(at_ + 1, std::min(end, text_.size()));
    }

    void skip_inside(std::size_t begin, std::size_t end) {
        if (literals_) {
            blank(begin, end);
        } else {
            at_ = end;
        }
        at_ = std::min(at_ + 1, text_.size());
    }

    // A backslash at the end continues a line comment on the next line.
    [[nodiscard]] std::size_t line_comment_end() const {
        std::size_t end = text_.find('\n', at_);
        while (end != std::string_view::npos && text_[end - 1] == '\\')
            end = text_.find('\n', end + 1);
        return std::min(end, text_.size());
    }

    [[nodiscard]] std::size_t end_after(std::string_view close, std::size_t from) const {
        const std::size_t found = text_.find(close, from);
        return found == std::string_view::npos ? text_.size() : found + close.size();
    }

    void blank(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (out_[i] != '\n') out_[i] = ' ';
        }
        at_ = end;
    }

    std::string_view text_;
    std::string out_;
    bool literals_;
    std::size_t at_ = 0;
};

}  // namespace

std::string without_comments(std::string_view text) { return Blanker(text, false).run(); }
std::string code_only(std::string_view text) { return Blanker(text, true).run(); }

}  // namespace fencepost::tidy
