// Searches program output for secrets, in every form in which they might leak.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fencepost::test {

class Leaks {
public:
    /// A private key in hexadecimal: searched as a whole and in pieces of 8 bytes, as hexadecimal in either case, raw
    /// bytes, decimal digits and base64.
    void add_key(std::string_view name, std::string_view hex);
    /// A password, PIN or token: as is, in hexadecimal and in base64.
    void add_text(std::string_view name, std::string_view text);

    /// "the key as base64" for each secret that `output` contains.
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
