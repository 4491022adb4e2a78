// Parses a function signature from left to right. Every error names its position, because the text comes from a
// developer.
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

    /// The next identifier, or empty when something else follows; skips blanks before it.
    [[nodiscard]] std::string_view word();
    /// Consumes this character if it is next.
    [[nodiscard]] bool take(char wanted);
    [[nodiscard]] bool take_word(std::string_view wanted);
    void skip_blanks();

    [[nodiscard]] std::unexpected<ParseError> expected(std::string_view what);
    [[nodiscard]] std::unexpected<ParseError> refuse(std::size_t at, std::string_view why) const;

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace fencepost::codec
