// Looks for secrets in what a program printed, in every form in which one might slip out.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fencepost::test {

class Leaks {
public:
    /// A private key in hexadecimal: looked for whole and in pieces of 8 bytes, as hexadecimal of either case, raw
    /// bytes, decimal digits and base64.
    void add_key(std::string_view name, std::string_view hex);
    /// A password, PIN or token: as it is, in hexadecimal and in base64.
    void add_text(std::string_view name, std::string_view text);

    /// "the key as base64" for each that `output` contains.
    [[nodiscard]] std::vector<std::string> in(std::string_view output) const;

private:
    struct Form {
        std::string name;
        std::string text;
        bool any_case = false;
    };
    void add(std::string_view name, std::string_view form, std::string text, bool any_case = false);

    std::vector<Form> forms_;
};

}  // namespace fencepost::test
