// Reads a signature from left to right. Whatever is wrong is said with the place where it stands, since the text comes
// from a person or from the program that a person is writing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "codec/abi/abi_signature.hpp"

namespace fencepost::codec {

class AbiParser {
public:
    explicit AbiParser(std::string_view text) : text_(text) {}

    [[nodiscard]] Result<AbiFunction, ParseError> function();

private:
    using Types = std::vector<AbiType>;

    [[nodiscard]] Result<std::string, ParseError> function_name();
    [[nodiscard]] Status<ParseError> rest_of_function();
    [[nodiscard]] Result<Types, ParseError> parameters(std::size_t depth);
    [[nodiscard]] Result<AbiType, ParseError> parameter(std::size_t depth);
    [[nodiscard]] Result<AbiType, ParseError> type(std::size_t depth);
    [[nodiscard]] Result<AbiType, ParseError> type_without_brackets(std::size_t depth);
    [[nodiscard]] Result<AbiType, ParseError> array_of(AbiType element);
    [[nodiscard]] Result<std::string, ParseError> optional_name();

    /// The next word, or an empty one when something else follows; blanks before it are skipped.
    [[nodiscard]] std::string_view word();
    /// Whether this character follows; takes it if so.
    [[nodiscard]] bool take(char wanted);
    [[nodiscard]] bool take_word(std::string_view wanted);
    void skip_blanks();

    [[nodiscard]] std::unexpected<ParseError> expected(std::string_view what);
    [[nodiscard]] std::unexpected<ParseError> refuse(std::size_t at, std::string_view why) const;

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace fencepost::codec
