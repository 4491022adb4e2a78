// script/lint holds this file against .clang-tidy, to see that with its plugin clang-tidy still finds what is wrong.
#include <string>

namespace {

int WrongName(const std::string& text) { return static_cast<int>(text.size()); }

}  // namespace

int main() { return WrongName("sample"); }
